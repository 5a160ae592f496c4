/// A value in a message of a message bus.
///
/// Descriptors are not supported; a message that contains a descriptor is rejected.
public indirect enum DBusValue: Hashable, Sendable {
  /// An unsigned 8-bit integer (`y`).
  case byte(UInt8)
  /// A Boolean value (`b`).
  case boolean(Bool)
  /// A 16-bit integer (`n`).
  case int16(Int16)
  /// An unsigned 16-bit integer (`q`).
  case uint16(UInt16)
  /// A 32-bit integer (`i`).
  case int32(Int32)
  /// An unsigned 32-bit integer (`u`).
  case uint32(UInt32)
  /// A 64-bit integer (`x`).
  case int64(Int64)
  /// An unsigned 64-bit integer (`t`).
  case uint64(UInt64)
  /// A floating-point number (`d`).
  case double(Double)
  /// A string without NUL characters (`s`).
  case text(String)
  /// The path of an object (`o`).
  case path(String)
  /// A signature: the types of values, as a string (`g`).
  case signature(String)
  /// An array of bytes (`ay`).
  case bytes([UInt8])
  /// An array of values that have the same signature. An empty array has a signature, too.
  case array([DBusValue], of: String)
  /// A dictionary with the signatures of its keys and values; its entries are in the order of the message.
  case dictionary([DBusEntry], key: String, value: String)
  /// A structure of at least one value.
  case structure([DBusValue])
  /// A value with its signature (`v`).
  case variant(DBusValue)

  /// Makes a dictionary of variants with names as keys (`a{sv}`), the usual form of properties and options.
  public static func options(_ entries: [(String, DBusValue)]) -> DBusValue {
    let entries = entries.map { DBusEntry(key: .text($0.0), value: .variant($0.1)) }
    return .dictionary(entries, key: "s", value: "v")
  }

  /// The signature of the value, such as `a{sv}`.
  public var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .text: "s"
    case .path: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(_, let element): "a" + element
    case .dictionary(_, let key, let value): "a{" + key + value + "}"
    case .structure(let values): "(" + values.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }
}

/// One entry of a dictionary in a message.
public struct DBusEntry: Hashable, Sendable {
  /// The key, a value of a basic type such as a string or a number.
  public var key: DBusValue
  /// The value of the key.
  public var value: DBusValue

  /// Makes an entry.
  public init(key: DBusValue, value: DBusValue) {
    self.key = key
    self.value = value
  }
}
