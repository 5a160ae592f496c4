import StintModel
import StintUnits

extension ConformanceJudge {
  /// Makes the checks that apply to all events of the plugin together.
  mutating func checkEvents(_ bench: PluginBench) {
    if let fault = bench.faults.first, bench.port.faults > 0 { fail(.honest, fault) }
    let dropped = bench.port.droppedReadings
    if dropped.count > 0 { fail(.honest, dropped.lastReason) }
    checkTransitions(bench)
    checkSamples(bench)
  }

  private mutating func checkTransitions(_ bench: PluginBench) {
    var current = manifest.initial
    for case .outcome(.state(let next, _), let instant) in bench.events {
      if !manifest.permits(from: current, to: next) {
        let (from, to) = (manifest.states[current].name, manifest.states[next].name)
        fail(.transitions, "it went from “\(from)” to “\(to)” at \(instant.nanoseconds) ns")
      }
      current = next
    }
  }

  private mutating func checkSamples(_ bench: PluginBench) {
    var last: Sample?
    for case .batch(let batch, let deliveredAt) in bench.events {
      for sample in batch.samples {
        if let last, sample.instant <= last.instant || sample.sequence <= last.sequence {
          fail(.ascending, "sample \(sample.sequence) does not come after sample \(last.sequence)")
        }
        if sample.instant > deliveredAt {
          fail(.ascending, "sample \(sample.sequence) was delivered before it was measured")
        }
        checkChannels(sample.values(with: batch.wide), sample)
        last = sample
      }
    }
  }

  private mutating func checkChannels(_ values: [Double], _ sample: Sample) {
    if let bad = values.first(where: { !$0.isFinite }) {
      fail(.channels, "sample \(sample.sequence) contains \(bad)")
    }
    for (place, value) in values.enumerated() where place >= manifest.plainChannels.count && value != 0 {
      fail(.channels, "sample \(sample.sequence) has a value in channel \(place + 1)")
    }
  }
}
