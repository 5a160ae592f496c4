/// A test of one source. Sources are numbered: first the facts of the image, then its devices. The value of a
/// device is 1 while the device is demanded, and 0 at other times.
struct Literal: Hashable, Sendable {
  var source: Int
  var test: ValueTest
}
