/// A violation of the plugin protocol. The receiver discards the frame and ends the conversation with the
/// sender.
public struct FrameFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of a fault. Later versions may add categories.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word for the category in reports.
    public let rawValue: String

    /// Makes a category from its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The length is impossible for a frame of its kind.
    public static let size = Code(rawValue: "size")
    /// The kind of the frame is unknown, or a field is malformed, such as a reserved field that is not zero.
    public static let form = Code(rawValue: "form")
    /// A frame is missing or arrived twice, or the sequence number of a sample is invalid.
    public static let sequence = Code(rawValue: "sequence")
    /// The frame is not allowed at this point of the conversation.
    public static let order = Code(rawValue: "order")
    /// The two sides have different major versions.
    public static let version = Code(rawValue: "version")
    /// The plugin describes another device than the manifest does.
    public static let manifest = Code(rawValue: "manifest")
    /// A value is not a finite number, or the manifest does not allow it.
    public static let value = Code(rawValue: "value")
    /// An instant is in the future, or earlier than the previous instant.
    public static let time = Code(rawValue: "time")
    /// The power state contradicts the setting, the transitions in the manifest, or the delivered samples.
    public static let state = Code(rawValue: "state")
    /// The sender exceeds a rate limit, for example the limit for frames, samples or events.
    public static let flood = Code(rawValue: "flood")
  }

  /// The category.
  public let code: Code
  /// A sentence without its subject (the sender) and without a full stop: “sent a frame of 12 bytes”.
  public let sentence: String

  /// Makes a fault.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { sentence }
}
