import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@testable import StintRuntime

/// A sensor that delivers one sample per second, except in its silent time and while it should hold samples.
private actor Pulse: SensorPlugin {
  nonisolated let manifest: Manifest
  private let falls: ClosedRange<Int64>?
  private let start: Instant
  private var port: DevicePort?
  private var setting = Setting.off
  private var sequence: UInt64 = 0

  /// - Parameter falls: the seconds after the start at which the sensor takes no sample; nil for a sensor
  ///   that is never silent.
  init(
    silentAt falls: ClosedRange<Int64>? = nil, from start: Instant, roles: Set<DeviceRole>? = nil,
    hasRate: Bool = true
  ) {
    self.falls = falls
    self.start = start
    let rate = AttributeSchema(name: "rate", type: .quantity(.rate), range: 0.01...10)
    manifest = Manifest(
      device: "test.pulse", kind: .sensor, title: "",
      states: [
        PowerState(name: "off", power: .zero, isOn: false), PowerState(name: "on", power: .zero, isOn: true),
      ],
      transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases,
      attributes: hasRate ? [rate] : [], fifo: 100, channels: [Channel(name: "value", unit: "")],
      statedRoles: roles)
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func close(at instant: Instant) {}
  func apply(_ setting: Setting, at instant: Instant) {
    self.setting = setting
    port?.report(.state(setting.isOn ? 1 : 0, period: setting.period), at: instant)
    port?.setAlarm(at: setting.isOn ? instant + .seconds(1) : nil)
  }
  func drain(at instant: Instant, reason: DeliveryReason) {}

  func wake(at instant: Instant, horizon: Instant) {
    port?.setAlarm(at: instant + .seconds(1))
    let second = (instant - start).nanoseconds / 1_000_000_000
    guard falls?.contains(second) != true, !setting.isHolding else { return }
    sequence += 1
    let batch = Batch(
      device: manifest.device, samples: [Sample(instant: instant, sequence: sequence, 1)],
      reason: .immediate)
    port?.deliver(batch, at: instant)
  }
}

/// A sensor in a separate process, which never sends anything. The sensor records the failures for which the
/// host ends its process.
private actor Mute: SensorPlugin, SupervisedPlugin {
  nonisolated let manifest = Pulse(from: .epoch).manifest
  nonisolated let failures = Locked<[ChildFailure]>([])
  private nonisolated let port = Locked<DevicePort?>(nil)

  nonisolated var status: ChildStatus {
    ChildStatus(state: .serving, process: nil, restarts: 0, lostSamples: 0)
  }
  nonisolated var isDraining: Bool { false }
  nonisolated func fail(_ failure: ChildFailure) -> Bool {
    failures.withLock { $0.append(failure) }
    return true
  }

  func open(_ port: DevicePort, at instant: Instant) { self.port.withLock { $0 = port } }
  func close(at instant: Instant) {}
  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}

  /// Reports the end of the process and the start of the next process.
  func restart(at instant: Instant) {
    port.withLock { $0 }?.available(false, at: instant)
    port.withLock { $0 }?.available(true, at: instant + .seconds(1))
  }
}

/// Raises its demands at the start.
private struct InitialDemands: InputSource {
  var demands: [Demand]
  let start: Instant

  var nextInstant: Instant? { demands.isEmpty ? nil : start }
  mutating func drain() -> [Input] {
    defer { demands = [] }
    return demands.map(Input.raise)
  }
}

/// Counts the steps of a host and records its refusals.
private final class Steps: HostObserver {
  let count = Locked(0)
  let refusals = Locked([String]())

  var observesIdle: Bool { true }
  func becameIdle(_ governor: borrowing Governor, at instant: Instant) { count.withLock { $0 += 1 } }
  func refused(_ sentence: String, at instant: Instant) { refusals.withLock { $0.append(sentence) } }
}

/// A `HostClock` that jumps to the end of each wait. The second wait ends late, or the system is suspended
/// during it.
private final class Jump: HostClock {
  private let state: Locked<(now: Instant, waits: Int, suspended: TimeSpan)>
  private let late: TimeSpan
  private let asleep: TimeSpan

  /// - Parameters:
  ///   - late: the delay of the end of the second wait.
  ///   - asleep: the time for which the system was suspended during the second wait.
  init(from start: Instant, late: TimeSpan, asleep: TimeSpan) {
    state = Locked((start, 0, .zero))
    self.late = late
    self.asleep = asleep
  }

  var now: Instant { state.withLock { $0.now } }
  var suspended: TimeSpan { state.withLock { $0.suspended } }

  func wait(until instant: Instant) async -> WaitResult {
    state.withLock { state in
      state.waits += 1
      state.now = max(state.now, instant)
      if state.waits == 2 {
        state.now = state.now + late
        state.suspended = asleep
      }
      return .due
    }
  }
}

@Suite("Sensors that are on and send nothing") struct SilentSensorTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static func after(_ seconds: Int64) -> Instant { start + .seconds(seconds) }
  private let steps = Steps()

  private func host(
    _ plugin: any DevicePlugin, period: TimeSpan = .seconds(1), latency: TimeSpan? = nil
  ) throws -> Host {
    let plugins = try PluginSet([plugin])
    let demand = Demand(
      id: DemandID(1), client: "app", target: "test.pulse",
      wants: DemandSettings(period: period, latency: latency))
    return Host(
      governor: Governor(
        vocabulary: Vocabulary(manifests: plugins.manifests), timeZone: .utc, at: Self.start),
      plugins: plugins, source: InitialDemands(demands: [demand], start: Self.start), observer: steps)
  }

  private func faults(_ host: Host) async throws -> Int {
    try #require(await host.snapshot.status(of: "test.pulse")).faults
  }

  @Test("X07: a sensor that stops sending gets one fault after 15 s, and no fault after it sends again")
  func stops() async throws {
    let host = try host(Pulse(silentAt: 11...60, from: Self.start))
    await host.open()
    await host.run(until: Self.after(10) + .milliseconds(14_999))
    #expect(try await faults(host) == 0)
    await host.run(until: Self.after(60))
    let status = try #require(await host.snapshot.status(of: "test.pulse"))
    #expect(status.faults == 1)
    #expect(status.lastFault == "the sensor is on and has sent nothing for 15 s")
    await host.run(until: Self.after(300))
    #expect(try await faults(host) == 1)
  }

  @Test("X07: a sensor that sends causes no step besides the steps of its samples")
  func working() async throws {
    let host = try host(Pulse(from: Self.start))
    await host.open()
    await host.run(until: Self.after(10))
    let before = steps.count.withLock { $0 }
    await host.run(until: Self.after(110))
    let after = steps.count.withLock { $0 }
    // Each of the hundred samples causes one step, and `run` ends with one more step.
    #expect(after - before == 101)
    #expect(try await faults(host) == 0)
    let isFar = await host.silence.nextDeadline
    #expect(isFar == Self.after(125))
  }

  @Test("a sensor that reports only changes, and a sensor that searches for beacons, may stay silent")
  func changesOnly() async throws {
    for plugin in [
      Pulse(silentAt: 0...9_000, from: Self.start, hasRate: false),
      Pulse(silentAt: 0...9_000, from: Self.start, roles: [.beacons]),
    ] {
      let host = try host(plugin)
      await host.open()
      await host.run(until: Self.after(3_600))
      #expect(try await faults(host) == 0)
    }
  }

  @Test("a sensor that holds its samples counts as silent only if it does not deliver them on request")
  func holding() async throws {
    let host = try host(Pulse(from: Self.start), latency: .seconds(40))
    await host.open()
    await host.run(until: Self.after(54))
    #expect(try await faults(host) == 0)
    await host.run(until: Self.after(56))
    #expect(try await faults(host) == 1)
  }

  @Test(
    "X07: a silent process is ended with the failure `hang`; after its restart, its silence is measured again"
  )
  func supervised() async throws {
    let plugin = Mute()
    let host = try host(plugin)
    await host.open()
    await host.run(until: Self.after(20))
    #expect(plugin.failures.withLock { $0.map(\.code) } == [.hang])
    #expect(try await faults(host) == 0)
    await plugin.restart(at: Self.after(20))
    for device in await host.bay.indices { await host.collect(device) }
    await host.run(until: Self.after(35))
    #expect(plugin.failures.withLock { $0.count } == 1)
    await host.run(until: Self.after(60))
    #expect(plugin.failures.withLock { $0.count } == 2)
  }

  @Test(
    "time during which the host or the whole system was stopped does not count as silence of a device",
    arguments: [
      (late: TimeSpan.zero, asleep: TimeSpan.zero, failures: 1), (.seconds(100), .zero, 0),
      (.zero, .seconds(100), 0),
    ])
  func stopped(late: TimeSpan, asleep: TimeSpan, failures: Int) async throws {
    let plugin = Mute()
    let host = try host(plugin)
    await host.open()
    let pace = Jump(from: Self.start, late: late, asleep: asleep)
    await host.run(until: Self.after(20) + late, pace: pace, reload: { _, _ in })
    #expect(plugin.failures.withLock { $0.count } == failures)
  }
}
