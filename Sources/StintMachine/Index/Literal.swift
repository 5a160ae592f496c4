/// A test of one source: a fact of the image, or behind the facts one of its devices, which is demanded or not.
struct Literal: Hashable, Sendable {
  var source: Int
  var test: ValueTest
}
