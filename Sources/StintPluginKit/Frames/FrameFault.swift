/// A fault of a frame: nothing of the frame is used, and its sender is no longer trusted.
public struct FrameFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of fault; more may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The length is none that a frame of its kind can have.
    public static let size = Code(rawValue: "size")
    /// The kind of the frame is unknown, or a reserved field is not zero.
    public static let form = Code(rawValue: "form")
    /// A frame is missing, or came twice.
    public static let sequence = Code(rawValue: "sequence")
    /// The frame is one that cannot come now.
    public static let order = Code(rawValue: "order")
    /// The two sides speak different major versions.
    public static let version = Code(rawValue: "version")
    /// The plugin speaks of another device than the manifest does.
    public static let manifest = Code(rawValue: "manifest")
    /// A value that its manifest does not allow, or that is no number.
    public static let value = Code(rawValue: "value")
    /// An instant that has not come yet, or that is before an earlier one.
    public static let time = Code(rawValue: "time")
    /// A power state that the device was not told to be in, or cannot come to.
    public static let state = Code(rawValue: "state")
    /// More than the manifest lets expect.
    public static let flood = Code(rawValue: "flood")
  }

  public let code: Code
  /// One sentence without a full stop, as said of the sender: “sent a frame of 12 bytes”.
  public let sentence: String

  /// Makes a fault.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { sentence }
}
