/// The description of an error, as a sentence without a full stop.
struct IIOFault: Error, Hashable, Sendable {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
