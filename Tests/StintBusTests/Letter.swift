@testable import StintBus

/// The element of the tests: a number. It counts as `1 + number % 3` samples.
struct Letter: SampleContainer, Hashable {
  var number: Int

  var sampleCount: Int { 1 + number % 3 }
}
