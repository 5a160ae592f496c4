import StintModel
import StintUnits

/// Runs the phases of one conformance check and collects the verdicts. For each check, only the first failure
/// is kept.
struct ConformanceJudge {
  let manifest: Manifest
  private var failures: [PluginCheck: String] = [:]

  init(manifest: Manifest) { self.manifest = manifest }

  var report: ConformanceReport {
    ConformanceReport(
      device: manifest.device,
      verdicts: PluginCheck.allCases.map { .init(check: $0, failure: failures[$0]) })
  }

  mutating func fail(_ check: PluginCheck, _ text: String) {
    if failures[check] == nil { failures[check] = text }
  }

  /// Returns the last power state that the device reported, or its initial state; nil when the manifest has
  /// no states.
  func state(of bench: PluginBench) -> PowerState? {
    guard !manifest.states.isEmpty else { return nil }
    for case .outcome(.state(let index, _), _) in bench.events.reversed() { return manifest.states[index] }
    return manifest.states[manifest.initial]
  }

  /// Records a failure of the check when the last reported power state is on.
  mutating func expectOff(_ bench: PluginBench, _ check: PluginCheck) {
    if let state = state(of: bench), state.isOn { fail(check, "it is in the state “\(state.name)”") }
  }

  // MARK: The life cycle, by kind of device

  mutating func sense(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    let period = manifest.attribute(named: "rate").flatMap { testPeriod($0) } ?? .seconds(1)
    await apply(&bench, Setting(isOn: true, period: period))
    if let state = state(of: bench), !state.isOn { fail(.turnsOn, "it is in the state “\(state.name)”") }
    await bench.advance(by: settle)
    if manifest.fifo > 0 {
      await apply(&bench, Setting(isOn: true, period: period, isHolding: true))
      await hold(&bench, settle)
    }
    await turnOff(&bench, settle)
    await apply(&bench, Setting(isOn: true, period: period))
    await bench.advance(by: settle)
  }

  private mutating func hold(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    let before = bench.batches.count
    await bench.advance(by: settle)
    for batch in bench.batches[before...] where batch.reason != .full {
      fail(.holds, "it delivered a batch (\(batch.reason), size \(batch.samples.count)) while set to hold")
    }
    for batch in bench.batches[before...] where batch.samples.count > manifest.fifo {
      fail(.holds, "it held \(batch.samples.count) samples in a FIFO of \(manifest.fifo)")
    }
    let countBeforeDrain = bench.batches.count
    await bench.drain(reason: .flushed)
    let drained = bench.batches[countBeforeDrain...]
    if drained.count > 1 { fail(.drains, "one drain delivered \(drained.count) batches") }
    for batch in drained where batch.reason != .flushed {
      fail(.drains, "the batch has the reason “\(batch.reason)” instead of the reason of the drain")
    }
    await bench.drain(reason: .flushed)
    if bench.batches.count > countBeforeDrain + drained.count {
      fail(.drains, "a second drain delivered samples again")
    }
  }

  mutating func carry(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    let work = (1...3).map { number in
      AssignedTransfer(demand: DemandID(Int64(number)), transfer: Transfer(bytesUp: 1000, bytesDown: 20_000))
    }
    await apply(&bench, Setting(isOn: true))
    await bench.startTransfers(work)
    await bench.advance(by: settle)
    for piece in work {
      let count = bench.events.count { event in
        if case .carried(piece.demand, _) = event { true } else { false }
      }
      if count != 1 { fail(.carries, "transfer \(piece.demand) was carried \(count) times") }
    }
    await apply(&bench, .off)
    await bench.advance(by: settle)
    expectOff(bench, .returns)
  }

  /// Reads the facts of a source twice.
  mutating func read(_ bench: inout PluginBench) async {
    for _ in 0..<2 {
      let before = bench.events.count
      await bench.read()
      let published = bench.events[before...].compactMap { event in
        if case .fact(let index, _, _) = event { index } else { nil }
      }
      for (index, fact) in manifest.facts.enumerated()
      where fact.reading != nil && !published.contains(index) {
        fail(.reads, "a reading did not publish “\(fact.path)”")
      }
    }
  }

  mutating func process(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    await bench.wakeProcessor()
    await apply(&bench, Setting(isOn: true))
    if let state = state(of: bench), !state.isOn { fail(.turnsOn, "it is in the state “\(state.name)”") }
    await bench.advance(by: settle)
    await apply(&bench, .off)
    await bench.advance(by: settle)
    expectOff(bench, .returns)
  }

  mutating func close(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    await bench.close()
    expectOff(bench, .offAfterClose)
    let eventsBefore = bench.events.count
    await bench.advance(by: settle)
    if bench.events.count > eventsBefore {
      fail(.offAfterClose, "number of events after closing: \(bench.events.count - eventsBefore)")
    }
  }

  private mutating func turnOff(_ bench: inout PluginBench, _ settle: TimeSpan) async {
    await apply(&bench, .off)
    let batches = bench.batches.count
    await bench.advance(by: settle)
    expectOff(bench, .returns)
    if bench.batches.count > batches {
      fail(.silentWhenOff, "number of batches after it was turned off: \(bench.batches.count - batches)")
    }
  }

  private mutating func apply(_ bench: inout PluginBench, _ setting: Setting) async {
    let eventsBefore = bench.events.count
    var setting = setting
    if setting.isOn { setting.attributes = manifest.defaultAttributes }
    do {
      try await bench.apply(setting)
    } catch {
      fail(.answers, "“\(setting)” was answered with an error: \(error)")
      return
    }
    let answered = bench.events[eventsBefore...].contains { event in
      if case .outcome(.state, _) = event { true } else { false }
    }
    if !answered { fail(.answers, "“\(setting)” was not answered") }
  }

  /// Returns 1 s, limited to the periods that the attribute's range of rates permits; nil when there is
  /// no range.
  private func testPeriod(_ rate: AttributeSchema) -> TimeSpan? {
    guard let range = rate.range else { return nil }
    return Quantity(min(max(1, range.lowerBound), range.upperBound), .rate).period
  }
}
