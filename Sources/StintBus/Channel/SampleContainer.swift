import StintModel

/// An element of a channel: a value that knows the number of its samples.
protocol SampleContainer: Sendable {
  var sampleCount: Int { get }
}

extension SampleContainer {
  var tally: Tally { Tally(batches: 1, samples: sampleCount) }
}

extension Batch: SampleContainer {
  var sampleCount: Int { samples.count }
}
