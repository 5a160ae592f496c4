import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@testable import StintRuntime

/// A device that records its wake-ups and publishes a fact at each wake-up.
private actor Sleeper: DevicePlugin {
  nonisolated let manifest: Manifest
  private var port: DevicePort?
  /// The time from a wake-up to the instant of its report.
  private let lead: TimeSpan
  private(set) var woken: [Instant] = []

  init(_ name: String = "sleeper", lead: TimeSpan = .zero) {
    let device = DeviceID("test.\(name)")
    manifest = Manifest(
      device: device, kind: .source, title: "Sleeper",
      facts: [FactSchema(path: "\(name).woken", type: .boolean, device: device)])
    self.lead = lead
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {}
  func close(at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {
    woken.append(instant)
    port?.publish(manifest.facts[0].path, .boolean(true), at: instant + lead)
  }
}

/// A `HostClock` that returns the given events in order.
private final class Steps: HostClock {
  private let events: Locked<(rest: [WaitResult], now: Instant)>
  let wallClock: WallClock?

  init(_ events: [WaitResult], at start: Instant, wallClock: WallClock? = nil) {
    self.events = Locked((events, start))
    self.wallClock = wallClock
  }

  var now: Instant { events.withLock { $0.now } }

  func wait(until instant: Instant) async -> WaitResult {
    events.withLock { events in
      let event = events.rest.removeFirst()
      switch event {
      case .due: events.now = max(events.now, instant)
      case .ready(let at), .filesChanged(let at), .stop(let at): events.now = at
      }
      return event
    }
  }
}

/// The `HostClock` of a late host. It requests a pause after each step and returns a given event at
/// each wait.
private final class LateHostClock: HostClock {
  private let state: Locked<(events: [WaitResult], waits: [Instant])>
  let now: Instant

  init(_ events: [WaitResult], now: Instant) {
    state = Locked((events, []))
    self.now = now
  }

  var waits: [Instant] { state.withLock { $0.waits } }
  /// True at the second access, the fourth access, and so on.
  var mustPause: Bool {
    isOdd.withLock { isOdd in
      isOdd.toggle()
      return !isOdd
    }
  }
  private let isOdd = Locked(false)

  func wait(until instant: Instant) async -> WaitResult {
    state.withLock { state in
      state.waits.append(instant)
      return state.events.isEmpty ? .due : state.events.removeFirst()
    }
  }
}

/// A device with an alarm every second.
private actor Ticker: DevicePlugin {
  nonisolated let manifest = Manifest(
    device: "test.ticker", kind: .source, title: "Ticker",
    facts: [FactSchema(path: "ticker.count", type: .boolean, device: "test.ticker")])
  private var port: DevicePort?
  private(set) var ticks = 0

  func open(_ port: DevicePort, at instant: Instant) {
    self.port = port
    port.setAlarm(at: instant + .seconds(1))
  }
  func apply(_ setting: Setting, at instant: Instant) {}
  func close(at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {
    ticks += 1
    port?.setAlarm(at: instant + .seconds(1))
  }
}

private final class Refusals: HostObserver {
  let sentences = Locked([String]())

  func refused(_ sentence: String, at instant: Instant) { sentences.withLock { $0.append(sentence) } }
}

@Suite("Hosts that handle events late") struct LateHostTests {
  private static func host(_ plugins: PluginSet, at start: Instant, observer: Refusals? = nil) -> Host {
    let vocabulary = Vocabulary(manifests: plugins.manifests)
    return Host(
      governor: Governor(vocabulary: vocabulary, timeZone: .utc, at: start), plugins: plugins,
      observer: observer)
  }

  @Test("a late host answers requests between two steps, and skips the remaining events when it must stop")
  func behind() async throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let ticker = Ticker()
    let plugins = try PluginSet([ticker])
    let host = Self.host(plugins, at: start)
    await host.open()
    let late = start + .seconds(100)
    let pace = LateHostClock(
      [.ready(at: late), .ready(at: late), .ready(at: late), .stop(at: late)], now: late)
    let answered = Locked<[Instant]>([])
    await host.run(
      until: .distantFuture, pace: pace, reload: { _, _ in },
      attend: { _, instant in answered.withLock { $0.append(instant) } })
    #expect(answered.withLock { $0 } == [1, 2, 3].map { start + .seconds($0) })
    #expect(pace.waits.count == 4)
    #expect(await ticker.ticks == 3)
    await host.close(at: start + .seconds(3))
  }

  @Test(
    "after eight hours of suspension, all missed events are handled, and the wall clock has no offset"
  )
  func suspended() async throws {
    let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
    let ticker = Ticker()
    let plugins = try PluginSet([ticker])
    let host = Self.host(plugins, at: start)
    await host.open()
    let clocks = Locked((wall: start, steady: MonotonicInstant(nanoseconds: 0)))
    let wallClock = WallClock(
      .utc, clock: RunClock(start: start, anchor: MonotonicInstant(nanoseconds: 0)),
      reading: { clocks.withLock { $0 } })
    // Both the monotonic clock and the wall clock continue during a suspension.
    let woken = start + .hours(8)
    clocks.withLock { $0 = (woken, MonotonicInstant(nanoseconds: TimeSpan.hours(8).nanoseconds)) }
    await host.run(
      until: .distantFuture,
      pace: Steps([.ready(at: woken), .stop(at: woken)], at: start, wallClock: wallClock),
      reload: { _, _ in })
    #expect(await ticker.ticks == 8 * 3600)
    #expect(await host.now == woken)
    #expect(await host.snapshot.timeZone.ahead == .zero)
    await host.close(at: woken)
  }

  @Test(
    "an alarm in the past, set from a device's thread, is handled at once, and the device's report is applied"
  )
  func late() async throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let sleeper = Sleeper()
    let plugins = try PluginSet([sleeper])
    let refusals = Refusals()
    let host = Self.host(plugins, at: start, observer: refusals)
    await host.open()
    plugins.members[0].port.setAlarm(at: start + .seconds(5))
    let ten = start + .seconds(10)
    await host.run(
      until: .distantFuture, pace: Steps([.ready(at: ten), .due, .stop(at: ten)], at: start),
      reload: { _, _ in })
    #expect(await sleeper.woken == [ten])
    #expect(refusals.sentences.withLock { $0 } == [])
    let fact = try #require(await host.snapshot.vocabulary.fact("sleeper.woken"))
    #expect(await host.snapshot.facts.value(fact) == .boolean(true))
    await host.close(at: ten)
  }

  @Test("a report is applied even when another device's report with a later instant came first")
  func overtaken() async throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let ten = start + .seconds(10)
    let plugins = try PluginSet([Sleeper(lead: .milliseconds(1)), Sleeper("watcher")])
    let watcher = plugins.members[1].port
    let refusals = Refusals()
    let host = Self.host(plugins, at: start, observer: refusals)
    await host.open()
    plugins.members[0].port.setAlarm(at: ten)
    // The host reads the wall clock for the second time between two actions. These are the report of the
    // first device, and the collection of the other device's reports. At this reading, the other device
    // publishes.
    let readings = Locked(0)
    let wallClock = WallClock(
      .utc, clock: RunClock(start: start, anchor: MonotonicInstant(nanoseconds: 0)),
      reading: {
        let count = readings.withLock { count in
          count += 1
          return count
        }
        if count == 2 { watcher.publish("watcher.woken", .boolean(true), at: ten) }
        return (start, MonotonicInstant(nanoseconds: 0))
      })
    await host.run(
      until: .distantFuture,
      pace: Steps([.ready(at: start), .ready(at: ten), .stop(at: ten)], at: start, wallClock: wallClock),
      reload: { _, _ in })
    #expect(readings.withLock { $0 } == 2)
    #expect(refusals.sentences.withLock { $0 } == [])
    let fact = try #require(await host.snapshot.vocabulary.fact("watcher.woken"))
    #expect(await host.snapshot.facts.value(fact) == .boolean(true))
    #expect(await host.now == ten + .milliseconds(1))
    await host.close(at: ten)
  }
}
