@testable import StintBus

/// What the tests send: a number, and as many samples as its last digit says.
struct Letter: SampleContainer, Hashable {
  var number: Int

  var sampleCount: Int { 1 + number % 3 }
}
