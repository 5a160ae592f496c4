/// A test of one source. Sources are numbered: first the facts of the image, then its devices, which are 1
/// while demanded and otherwise 0.
struct Literal: Hashable, Sendable {
  var source: Int
  var test: ValueTest
}
