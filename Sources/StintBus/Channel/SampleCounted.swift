import StintModel

/// What a channel can carry: something that knows how many samples it holds.
protocol SampleCounted: Sendable {
  var sampleCount: Int { get }
}

extension SampleCounted {
  var tally: Tally { Tally(batches: 1, samples: sampleCount) }
}

extension Batch: SampleCounted {
  var sampleCount: Int { samples.count }
}
