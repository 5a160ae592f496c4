import StintBus
import StintGovernor
import StintLanguage
import StintModel
import StintPluginKit
import StintTestSupport
import StintUnits
import Testing

@testable import StintPluginHost
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

/// Returns each input at its instant, and sets the clock of a library to that instant.
private struct Inputs: InputSource {
  var entries: [(instant: Instant, input: Input)]
  let clock: TestClock

  var nextInstant: Instant? { entries.first?.instant }
  mutating func drain() -> [Input] {
    guard !entries.isEmpty else { return [] }
    let entry = entries.removeFirst()
    clock.now = entry.instant
    return [entry.input]
  }
}

@Suite(
  "Held samples are delivered when the demand is limited or ends; after a crash they are counted as lost"
)
struct HeldSampleMatrixTests {
  enum PluginHosting: CaseIterable { case linked, process, library }
  enum Ending: String, CaseIterable { case pause, stop, release, reload, shutdown, crash }

  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static let demand = Demand(
    id: DemandID(1), client: "app", target: "test.held",
    wants: DemandSettings(period: .seconds(1), latency: .seconds(60)))
  private static let vocabulary = Vocabulary(
    manifests: [InProcessHoldingSensor().manifest], declared: [FactSchema(path: "app.busy", type: .boolean)])

  /// Creates a host with one demand from the first second on. For `pause` and `stop`, `app.busy` becomes true
  /// after ten seconds of samples. For `reload`, it becomes true after one second. For `release`, the demand
  /// ends after ten seconds of samples.
  private func host(
    _ sensor: any SensorPlugin, _ ending: Ending, _ receiver: SampleRecorder,
    clock: TestClock = TestClock(Self.start)
  ) throws -> Host {
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
      plugins: try PluginSet([sensor]), source: Inputs(entries: entries, clock: clock), observer: receiver)
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
    "ten held samples reach the demand; when the plugin crashes, they are counted as lost",
    arguments: PluginHosting.allCases, Ending.allCases)
  func delivered(hosting: PluginHosting, ending: Ending) throws {
    // A crash of a linked plugin would end the whole process.
    if hosting == .linked && ending == .crash { return }
    if hosting == .library && !CompiledLibrary.hasCompiler { return }
    let loop = try LoopExecutor()
    let device = try SampleHoldingDevice(hosting, on: loop, failing: ending == .crash, from: Self.start)
    let receiver = SampleRecorder()
    let host = try host(device.plugin, ending, receiver, clock: device.clock)
    let result: Result<Void, any Error> = Spawner.run(on: loop) { [self] in
      try await run(host, device, until: ending)
    }
    try result.get()
    let (samples, lost) = ending == .crash ? (0, "held samples lost with their plugin: 10") : (10, nil)
    #expect(receiver.samples.withLock { $0 } == samples)
    if ending != .crash {
      #expect(receiver.isReleased.withLock { $0 } == (ending == .release || ending == .shutdown))
    }
    let counts: Result<String?, Never> = Spawner.run(on: loop) { await host.lossCounts.text }
    #expect(counts == .success(lost))
  }

  private func run(_ host: Host, _ device: SampleHoldingDevice, until ending: Ending) async throws {
    let end = Self.start + .seconds(11)
    await host.open()
    if ending == .pause || ending == .stop {
      try await host.load(try policy(ending.rawValue), policies: [], at: Self.start)
    }
    await host.run(until: end)
    device.clock.now = end
    switch ending {
    case .reload: try await host.load(try policy("pause"), policies: [], at: end)
    case .shutdown: await host.close(at: end)
    case .crash: await device.fail(at: end)
    case .pause, .stop, .release: break
    }
    await device.answer(at: end + .seconds(1))
    await host.collectAll()
    await host.run(until: end + .seconds(2))
  }

  @Test("the held samples of a linked plugin are delivered when the plugin fails")
  func failure() async throws {
    let (sensor, receiver) = (InProcessHoldingSensor(failsAfter: 1), SampleRecorder())
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
    let (sensor, receiver) = (OutOfProcessHoldingSensor(), SampleRecorder())
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
  fileprivate func collectAll() { for device in bay.indices { collect(device) } }
  fileprivate func apply(_ inputs: [Input], at instant: Instant) async { await step(instant, inputs: inputs) }
}
