import StintModel

/// An element of a channel: a value with a number of samples.
protocol SampleContainer: Sendable {
  var sampleCount: Int { get }
}

extension SampleContainer {
  var tally: Tally { Tally(batches: 1, samples: sampleCount) }
}

extension Batch: SampleContainer {
  var sampleCount: Int { samples.count }
}
