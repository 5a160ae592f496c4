import StintBus
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits
import Testing

@testable import StintRuntime

/// Counts the samples of a demand and records its end.
private final class SampleRecorder: HostObserver {
  let samples = Locked(0)
  let isReleased = Locked(false)

  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {
    samples.withLock { $0 += batch.samples.count }
  }
  func released(_ demand: Demand, at instant: Instant) {
    #expect(samples.withLock { $0 } > 0, "the demand ends before its last batch")
    isReleased.withLock { $0 = true }
  }
}

/// Returns each input at its instant.
private struct Inputs: InputSource {
  var entries: [(instant: Instant, input: Input)]

  var nextInstant: Instant? { entries.first?.instant }
  mutating func drain() -> [Input] { entries.isEmpty ? [] : [entries.removeFirst().input] }
}

@Suite("Held samples are delivered at each end of a demand, or counted as lost")
struct HeldSampleMatrixTests {
  enum Carrier: CaseIterable { case linked, process }
  enum Ending: String, CaseIterable { case pause, stop, release, reload, shutdown, crash }

  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static let demand = Demand(
    id: DemandID(1), client: "app", target: "test.held",
    wants: DemandSettings(period: .seconds(1), latency: .seconds(60)))
  private static let vocabulary = Vocabulary(
    manifests: [LinkedHolder().manifest], declared: [FactSchema(path: "app.busy", type: .boolean)])

  /// Returns a host with one demand from the first second on. The ending determines whether `app.busy`
  /// becomes true or the demand is released.
  private func host(_ sensor: any SensorPlugin, _ ending: Ending, _ receiver: SampleRecorder) throws -> Host {
    let busy = try #require(Self.vocabulary.fact("app.busy"))
    var entries: [(instant: Instant, input: Input)] = [(Self.start + .seconds(1), .raise(Self.demand))]
    switch ending {
    case .pause, .stop: entries.append((Self.start + .seconds(11), .fact(busy, .boolean(true))))
    case .release: entries.append((Self.start + .seconds(11), .release(Self.demand.id)))
    case .reload: entries.append((Self.start + .seconds(2), .fact(busy, .boolean(true))))
    case .shutdown, .crash: break
    }
    return Host(
      governor: Governor(vocabulary: Self.vocabulary, timeZone: .utc, at: Self.start),
      plugins: try PluginSet([sensor]), source: Inputs(entries: entries), observer: receiver)
  }

  private func policy(_ verb: String) throws -> Program {
    let text = """
      policy "p" version 1
      use test.held as held required
      rule rest while app.busy { \(verb) held }
      """
    let loaded = PolicyLoader(vocabulary: Self.vocabulary).load([SourceText(file: "p.stint", text: text)])
    return try #require(loaded.program, "\(loaded.diagnostics)")
  }

  @Test(
    "ten held samples reach the demand before its end, or are counted as lost after a crash",
    arguments: Carrier.allCases, Ending.allCases)
  func delivered(carrier: Carrier, ending: Ending) async throws {
    let (linked, process, receiver) = (LinkedHolder(), ProcessHolder(), SampleRecorder())
    let host = try host(carrier == .linked ? linked : process, ending, receiver)
    let end = Self.start + .seconds(11)
    await host.open()
    if ending == .pause || ending == .stop {
      try await host.load(try policy(ending.rawValue), policies: [], at: Self.start)
    }
    await host.run(until: end)
    switch ending {
    case .reload: try await host.load(try policy("pause"), policies: [], at: end)
    case .shutdown: await host.close(at: end)
    case .crash where carrier == .process: await process.crash(at: end)
    case .crash: return
    default: break
    }
    await process.answer(at: end + .seconds(1))
    await host.collectAll()
    await host.run(until: end + .seconds(2))
    guard ending == .crash else {
      #expect(receiver.samples.withLock { $0 } == 10)
      #expect(receiver.isReleased.withLock { $0 } == (ending == .release || ending == .shutdown))
      #expect(await host.lossCounts.text == nil)
      return
    }
    #expect(receiver.samples.withLock { $0 } == 0)
    #expect(await host.lossCounts.text == "10 held samples lost with their plugin")
  }

  @Test("the held samples of a linked plugin are delivered when the plugin fails")
  func failure() async throws {
    let (sensor, receiver) = (LinkedHolder(failsAfter: 1), SampleRecorder())
    let host = try host(sensor, .pause, receiver)
    await host.open()
    await host.run(until: Self.start + .seconds(5))
    // Another demand changes the setting, and the plugin fails.
    let other = Demand(
      id: DemandID(2), client: "other", target: "test.held", wants: DemandSettings(period: .milliseconds(500))
    )
    await host.run(until: Self.start + .seconds(6))
    await host.apply([.raise(other)], at: Self.start + .seconds(6))
    #expect(receiver.samples.withLock { $0 } >= 5)
    #expect(await host.lossCounts.unreceivedSamples == 0)
  }

  @Test("samples that a device measures after its last demand has ended are not counted as lost")
  func unreceived() async throws {
    let (sensor, receiver) = (ProcessHolder(), SampleRecorder())
    let host = try host(sensor, .release, receiver)
    await host.open()
    await host.run(until: Self.start + .seconds(11))
    await sensor.answer(at: Self.start + .seconds(12))
    await host.collectAll()
    await sensor.apply(Setting(isOn: true, isHolding: true), at: Self.start + .seconds(12))
    await sensor.drain(at: Self.start + .seconds(15), reason: .flushed)
    await sensor.answer(at: Self.start + .seconds(15))
    await host.collectAll()
    #expect(receiver.samples.withLock { $0 } == 10)
    #expect(await host.lossCounts.unreceivedSamples == 0)
  }
}

extension Host {
  /// Collects the reports of all devices, as a run does when a port is ready.
  fileprivate func collectAll() { for device in ports.indices { collect(device) } }
  fileprivate func apply(_ inputs: [Input], at instant: Instant) async { await step(instant, inputs: inputs) }
}
