import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits
import Testing

/// A device that notes when it is woken, and says a fact then.
private actor Sleeper: DevicePlugin {
  nonisolated let manifest = Manifest(
    device: "test.sleeper", kind: .source, title: "Sleeper",
    facts: [FactSchema(path: "sleeper.woken", type: .boolean, device: "test.sleeper")])
  private var port: DevicePort?
  private(set) var woken: [Instant] = []

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {}
  func close(at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {
    woken.append(instant)
    port?.publish("sleeper.woken", .boolean(true), at: instant)
  }
}

/// The events that a test says, one after the other.
private final class Steps: Pace {
  private let events: Locked<(rest: [PaceEvent], now: Instant)>

  init(_ events: [PaceEvent], at start: Instant) { self.events = Locked((events, start)) }

  var now: Instant { events.withLock { $0.now } }

  func wait(until instant: Instant) async -> PaceEvent {
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

/// Keeps what was refused.
private final class Refusals: HostObserver {
  let sentences = Locked([String]())

  func refused(_ sentence: String, at instant: Instant) { sentences.withLock { $0.append(sentence) } }
}

@Suite struct LateAlarmTests {
  @Test(
    "an alarm that a device's thread set for a moment that is over is answered now, and what it says counts")
  func late() async throws {
    let start = Instant(nanoseconds: 1_000_000_000)
    let sleeper = Sleeper()
    let plugins = try PluginSet([sleeper])
    let vocabulary = Vocabulary(manifests: plugins.manifests)
    let refusals = Refusals()
    let host = Host(
      governor: Governor(vocabulary: vocabulary, timeZone: .utc, at: start), plugins: plugins,
      observer: refusals)
    await host.open()
    plugins.members[0].port.call(at: start + .seconds(5))
    let ten = start + .seconds(10)
    await host.run(
      until: .distantFuture, pace: Steps([.ready(at: ten), .due, .stop(at: ten)], at: start),
      reload: { _, _ in })
    #expect(await sleeper.woken == [ten])
    #expect(refusals.sentences.withLock { $0 } == [])
    let fact = try #require(vocabulary.fact("sleeper.woken"))
    #expect(await host.snapshot.facts.value(fact) == .boolean(true))
    await host.close(at: ten)
  }
}
