@testable import StintBus

/// The element of the tests: a number, with as many samples as its last digit.
struct Letter: SampleContainer, Hashable {
  var number: Int

  var sampleCount: Int { 1 + number % 3 }
}
