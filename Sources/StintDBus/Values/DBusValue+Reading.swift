/// Reads a value as an expected type. For a variant, each property reads the content of the variant. Each
/// property except `content` is nil when the type of the value does not fit.
extension DBusValue {
  /// The content of the innermost variant; a value that is not a variant is its own content.
  public var content: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// A Boolean value.
  public var flag: Bool? {
    if case .boolean(let flag) = content { flag } else { nil }
  }

  /// An integer of any D-Bus type, if a signed 64-bit integer can represent its value.
  public var integer: Int64? {
    switch content {
    case .byte(let number): Int64(number)
    case .int16(let number): Int64(number)
    case .uint16(let number): Int64(number)
    case .int32(let number): Int64(number)
    case .uint32(let number): Int64(number)
    case .int64(let number): number
    case .uint64(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// A floating-point number; may be infinite or not a number.
  public var number: Double? {
    if case .double(let number) = content { number } else { nil }
  }

  /// A string, the path of an object, or a signature.
  public var string: String? {
    switch content {
    case .text(let string), .path(let string), .signature(let string): string
    default: nil
    }
  }

  /// The bytes of an array of bytes.
  public var data: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  /// The values of an array or a structure.
  public var elements: [DBusValue]? {
    switch content {
    case .array(let values, _), .structure(let values): values
    default: nil
    }
  }

  /// The entries of a dictionary.
  public var entries: [DBusEntry]? {
    if case .dictionary(let entries, _, _) = content { entries } else { nil }
  }

  /// The value of a key in a dictionary with strings as keys; nil when the key is absent. If the value is a
  /// variant, returns its content.
  ///
  /// When a message contains a key several times, the last value counts.
  public subscript(key: String) -> DBusValue? {
    entries?.last { $0.key.string == key }?.value.content
  }
}
