public import StintUnits

// Reasons to reject bytes as an image, or an image as unsafe to run.
extension Problem.Code {
  /// An index lies outside the table to which it refers.
  public static let index = Self.content("index")
  /// Code pops from an empty stack, does not leave exactly one value, or exceeds the stack limit. A `when`
  /// rule without code also has this problem.
  public static let stack = Self.content("stack")
  /// An instruction refers to a slot of another kind, or two slots have equal keys.
  public static let slot = Self.content("slot")
  /// A Boolean value is in the place of a number, or a number in the place of a Boolean value. Also used for
  /// an impossible dimension.
  public static let unit = Self.content("unit")
  /// The image was written in big-endian byte order.
  public static let byteOrder = Self.content("byte-order")
  /// The number of bytes differs from the expected length.
  public static let length = Self.content("length")
  /// A byte or string is not a valid encoding: unknown enum value, unknown opcode or invalid UTF-8.
  public static let encoding = Self.content("encoding")
  /// Two parts of the image contradict each other.
  public static let contradiction = Self.content("contradiction")
}
