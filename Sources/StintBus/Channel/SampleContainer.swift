import StintModel

/// What a channel can carry: something that knows how many samples it holds.
protocol SampleContainer: Sendable {
  var sampleCount: Int { get }
}

extension SampleContainer {
  var tally: Tally { Tally(batches: 1, samples: sampleCount) }
}

extension Batch: SampleContainer {
  var sampleCount: Int { samples.count }
}
