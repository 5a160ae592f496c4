/// Why bytes are no image, or an image is not safe to run: where, what is wrong, what to do.
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
    /// A boolean where a number is expected, or the reverse, or an impossible dimension.
    public static let unit = Code("unit")
    /// The bytes are of something else.
    public static let format = Code("format")
    /// The image was written by another version of Stint.
    public static let version = Code("version")
    /// The image was written with its bytes the other way round.
    public static let byteOrder = Code("byte-order")
    /// The image was compiled for other devices.
    public static let manifest = Code("manifest")
    /// There are fewer bytes than there should be, or more.
    public static let length = Code("length")
    /// A checksum is not that of the bytes.
    public static let checksum = Code("checksum")
    /// A byte that stands for nothing: no such word, no such instruction, no text.
    public static let encoding = Code("encoding")
    /// Parts of the image that contradict each other.
    public static let contradiction = Code("contradiction")
  }

  public var code: Code
  /// Where: a byte of the file, a rule, a table; empty when the sentence says so.
  public var place: String
  /// What is wrong: one sentence without a full stop.
  public var sentence: String
  /// What to do about it: one sentence without a full stop.
  public var nextStep: String

  /// Makes a trap.
  public init(
    _ code: Code, _ sentence: String, place: String = "", nextStep: String = "compile the policies again"
  ) {
    self.code = code
    self.sentence = sentence
    self.place = place
    self.nextStep = nextStep
  }

  public var description: String {
    "\(code.name): \(place.isEmpty ? "" : place + ": ")\(sentence); \(nextStep)"
  }
}
