public import StintUnits

// Why bytes are no image, or an image is not safe to run.
extension Problem.Code {
  /// A number points outside the table that it is about.
  public static let index = Self.content("index")
  /// Code pops what was never pushed, leaves too much, or nests too deep.
  public static let stack = Self.content("stack")
  /// A slot is used as another kind than it is.
  public static let slot = Self.content("slot")
  /// A boolean where a number is expected, or the reverse, or an impossible dimension.
  public static let unit = Self.content("unit")
  /// The image was written with its bytes the other way round.
  public static let byteOrder = Self.content("byte-order")
  /// There are fewer bytes than there should be, or more.
  public static let length = Self.content("length")
  /// A byte that stands for nothing: no such word, no such instruction, no text.
  public static let encoding = Self.content("encoding")
  /// Parts of the image that contradict each other.
  public static let contradiction = Self.content("contradiction")
}
