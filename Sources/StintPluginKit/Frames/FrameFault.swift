/// A violation of the plugin protocol. The receiver discards the frame and ends the conversation with
/// the sender.
package struct FrameFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of a fault. Later versions may add categories.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for the category in reports.
    package let rawValue: String

    /// Makes a category from its word.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The length is impossible for a frame of its kind.
    package static let size = Code(rawValue: "size")
    /// The kind of the frame is unknown or a field is malformed, such as a reserved field that is not 0.
    package static let form = Code(rawValue: "form")
    /// A frame is missing or arrived twice, or the sequence number of a sample is invalid.
    package static let sequence = Code(rawValue: "sequence")
    /// The frame is not allowed at this point of the conversation.
    package static let order = Code(rawValue: "order")
    /// The two sides have different major versions.
    package static let version = Code(rawValue: "version")
    /// The names or units that the plugin sends differ from those of its manifest.
    package static let manifest = Code(rawValue: "manifest")
    /// A value is not a finite number, or the manifest does not allow it.
    package static let value = Code(rawValue: "value")
    /// An instant is in the future, or earlier than the previous instant.
    package static let time = Code(rawValue: "time")
    /// The power state contradicts the setting, the transitions in the manifest, or the delivered samples.
    package static let state = Code(rawValue: "state")
    /// The sender exceeds a rate limit, for example the limit for frames, samples or events.
    package static let flood = Code(rawValue: "flood")
  }

  /// The category.
  package let code: Code
  /// A sentence without its subject (the sender) and without a full stop: “sent a frame of 12 bytes”.
  package let sentence: String

  /// Makes a fault.
  package init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  package var description: String { sentence }
}
