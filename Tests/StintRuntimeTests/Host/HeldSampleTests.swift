import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@testable import StintRuntime

/// A sensor that holds one sample per second. It answers a request to drain only when the test calls
/// `answer`, like a plugin in a separate process.
private actor SlowSensor: SensorPlugin, SupervisedPlugin {
  nonisolated let manifest = Manifest(
    device: "test.slow", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false), PowerState(name: "on", power: .zero, isOn: true),
    ],
    transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)], verbs: Verb.allCases, fifo: 100,
    channels: [Channel(name: "value", unit: "")])
  private nonisolated let draining = Locked(false)
  private var port: DevicePort?
  private var sequence: UInt64 = 0

  nonisolated var status: ChildStatus {
    ChildStatus(state: .serving, process: nil, restarts: 0, lostSamples: 0)
  }
  nonisolated var isDraining: Bool { draining.withLock { $0 } }

  func open(_ port: DevicePort, at instant: Instant) { self.port = port }
  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) { draining.withLock { $0 = true } }

  /// Answers the drain with `count` held samples, as a process does some time after the request.
  func answer(_ count: Int, at instant: Instant) {
    let samples = (0..<count).map { index -> Sample in
      sequence += 1
      return Sample(instant: instant - .seconds(Int64(count - index)), sequence: sequence, 1)
    }
    if !samples.isEmpty {
      port?.deliver(Batch(device: manifest.device, samples: samples, reason: .ended), at: instant)
    }
    draining.withLock { $0 = false }
    port?.setAlarm(at: instant)
  }
}

/// Returns each input at its instant.
private struct Script: InputSource {
  var entries: [(instant: Instant, input: Input)]

  var nextInstant: Instant? { entries.first?.instant }
  mutating func drain() -> [Input] { entries.isEmpty ? [] : [entries.removeFirst().input] }
}

/// Counts the samples of each demand and records the ends of demands.
private final class Counter: HostObserver {
  let samples = Locked([DemandID: Int]())
  let released = Locked([DemandID]())

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    samples.withLock { $0[demand.id, default: 0] += batch.samples.count }
  }
  func granted(_ grant: Grant, to demand: Demand, at instant: Instant) {}
  func raised(_ demand: Demand, at instant: Instant) {}
  func released(_ demand: Demand, at instant: Instant) { released.withLock { $0.append(demand.id) } }
  func refused(_ sentence: String, at instant: Instant) {}
  func settled(_ governor: borrowing Governor, at instant: Instant) {}
}

@Suite("Held samples of a plugin in a separate process")
struct HeldSampleTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private let sensor = SlowSensor()
  private let counter = Counter()

  /// Creates a host in which one or two clients make the sensor hold samples. The first demand ends after ten
  /// seconds.
  private func host(clients: Int) throws -> Host {
    let plugins = try PluginSet([sensor])
    let demands = (1...clients).map { number in
      Demand(
        id: DemandID(Int64(number)), client: ClientID("app\(number)"), target: "test.slow",
        wants: DemandSettings(period: .seconds(1), latency: .seconds(20)))
    }
    var entries = demands.map { (instant: Self.start + .seconds(1), input: Input.raise($0)) }
    entries.append((instant: Self.start + .seconds(10), input: .release(DemandID(1))))
    return Host(
      governor: Governor(
        vocabulary: Vocabulary(manifests: plugins.manifests), timeZone: .utc, at: Self.start),
      plugins: plugins, source: Script(entries: entries), observer: counter)
  }

  private func count(_ demand: Int64) -> Int { counter.samples.withLock { $0[DemandID(demand)] ?? 0 } }

  @Test("samples held at the end of a demand reach the demand, and the demand ends after them")
  func ended() async throws {
    let host = try host(clients: 1)
    await host.open()
    await host.run(until: Self.start + .seconds(11))
    #expect(sensor.isDraining && counter.released.withLock { $0.isEmpty })
    await sensor.answer(9, at: Self.start + .seconds(12))
    await host.collectAll()
    await host.run(until: Self.start + .seconds(13))
    #expect(count(1) == 9)
    #expect(counter.released.withLock { $0 } == [DemandID(1)])
  }

  @Test("a drain without held samples ends the demand too, and a later batch does not reach that demand")
  func empty() async throws {
    let host = try host(clients: 2)
    await host.open()
    await host.run(until: Self.start + .seconds(11))
    await sensor.answer(0, at: Self.start + .seconds(12))
    await host.collectAll()
    await host.run(until: Self.start + .seconds(13))
    #expect(counter.released.withLock { $0 } == [DemandID(1)])
    await sensor.answer(3, at: Self.start + .seconds(20))
    await host.collectAll()
    await host.run(until: Self.start + .seconds(21))
    #expect(count(1) == 0 && count(2) == 3)
  }

  @Test("closing the host delivers the held samples")
  func closing() async throws {
    let host = try host(clients: 2)
    await host.open()
    await host.run(until: Self.start + .seconds(11))
    await sensor.answer(5, at: Self.start + .seconds(12))
    await host.close(at: Self.start + .seconds(12))
    #expect(count(1) == 5 && count(2) == 5)
  }
}

extension Host {
  /// Collects the reports of all devices, as a run does when a port is ready.
  fileprivate func collectAll() { for device in bay.indices { collect(device) } }
}
