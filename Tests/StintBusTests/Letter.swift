@testable import StintBus

/// The element type of the channels in these tests. An element counts as `1 + number % 3` samples.
struct Letter: SampleContainer, Hashable {
  var number: Int

  var sampleCount: Int { 1 + number % 3 }
}
