/// What is wrong, as one sentence without a full stop.
struct IIOFault: Error, Hashable, Sendable {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
