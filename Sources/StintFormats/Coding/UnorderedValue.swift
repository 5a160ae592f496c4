/// A collection of the standard library whose iteration order differs from run to run.
///
/// The encoders sort its elements, so that equal values give equal bytes.
protocol UnorderedValue {
  /// Whether single elements or pairs of a key and a value are sorted when the collection is encoded as an
  /// array.
  static var arrayOrder: EncodingOrder { get }
}

extension Dictionary: UnorderedValue {
  static var arrayOrder: EncodingOrder { .pairs }
}

extension Set: UnorderedValue {
  static var arrayOrder: EncodingOrder { .elements }
}

/// The order of encoded elements.
enum EncodingOrder {
  /// The order in which the value encodes its elements.
  case asEncoded
  /// Members by name, elements by content.
  case elements
  /// Members by name; elements in pairs of a key and a value, by the content of the key. A dictionary whose
  /// keys are neither strings nor integers has this form.
  case pairs
}

extension JSONValue {
  /// Returns whether this value precedes `other` in a sorted array.
  ///
  /// Values are ordered by their types first, then by their contents. Strings, 64-bit integers and numbers
  /// are ascending; other values are ordered by their binary form.
  func precedes(_ other: JSONValue) -> Bool {
    switch (content, other.content) {
    case (.string(let left), .string(let right)): return left < right
    case (.integer(let left), .integer(let right)): return left < right
    case (.number(let left), .number(let right)) where left != right && !left.isNaN && !right.isNaN:
      return left < right
    default:
      let (left, right) = (rank, other.rank)
      if left != right { return left < right }
      return BinaryWriter.bytes(of: self).lexicographicallyPrecedes(BinaryWriter.bytes(of: other))
    }
  }

  private var rank: Int {
    switch content {
    case .null: 0
    case .boolean: 1
    // NaN has no order among numbers, so it has a rank of its own.
    case .number(let number): number.isNaN ? 5 : 4
    case .integer: 2
    case .largeInteger: 3
    case .string: 6
    case .array: 7
    case .object: 8
    }
  }
}
