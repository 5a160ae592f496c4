/// Why an image is not safe to run.
public struct ImageTrap: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a trap; later versions may add kinds.
  public struct Code: Hashable, Sendable {
    public let name: String

    /// Names a kind.
    public init(_ name: String) { self.name = name }

    /// A number points outside the table that it is about.
    public static let index = Code("index")
    /// Code pops what was never pushed, leaves too much, or nests too deep.
    public static let stack = Code("stack")
    /// A slot is used as another kind than it is.
    public static let slot = Code("slot")
    /// More than a machine has room for.
    public static let size = Code("size")
    /// A number or a span that cannot be.
    public static let value = Code("value")
  }

  public var code: Code
  public var sentence: String

  /// Makes a trap.
  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.sentence = sentence
  }

  public var description: String { "\(code.name): \(sentence)" }
}
