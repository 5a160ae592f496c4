import StintUnits

/// The first bytes of values in the format of `BinaryEncoder`.
enum BinaryTag {
  static let shortString: UInt8 = 0x80
  static let null: UInt8 = 0xC0
  static let falsity: UInt8 = 0xC1
  static let truth: UInt8 = 0xC2
  static let positive: UInt8 = 0xC3
  static let negative: UInt8 = 0xC4
  static let number: UInt8 = 0xC5
  static let string: UInt8 = 0xC6
  static let array: UInt8 = 0xC7
  static let object: UInt8 = 0xC8

  /// The maximum length in bytes of a key that gets a number.
  static let numberedKeyLength = 64
}

/// Writes values in the format of `BinaryEncoder`.
struct BinaryWriter {
  private var output = ByteWriter()
  /// The number of each key, counted from 1.
  private var keys: [String: Int] = [:]

  private init() {}

  static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = BinaryWriter()
    writer.write(value)
    return writer.output.bytes
  }

  private mutating func write(_ value: JSONValue) {
    switch value.content {
    case .null: output.append(BinaryTag.null)
    case .boolean(let truth): output.append(truth ? BinaryTag.truth : BinaryTag.falsity)
    case .integer(let number): write(Int128(number))
    case .largeInteger(let number): write(number)
    case .number(let number):
      output.append(BinaryTag.number)
      output.append(number)
    case .string(let text):
      let length = text.utf8.count
      if length < 64 {
        output.append(BinaryTag.shortString + UInt8(length))
      } else {
        output.append(BinaryTag.string)
        writeVarint(UInt128(length))
      }
      output.append(contentsOf: text.utf8)
    case .array(let items):
      output.append(BinaryTag.array)
      writeVarint(UInt128(items.count))
      for item in items { write(item) }
    case .object(let members):
      output.append(BinaryTag.object)
      writeVarint(UInt128(members.count))
      for member in members {
        writeKey(member.name)
        write(member.value)
      }
    }
  }

  private mutating func write(_ number: Int128) {
    switch number {
    case 0...0x7F: output.append(UInt8(number))
    case 0...:
      output.append(BinaryTag.positive)
      writeVarint(UInt128(number))
    default:
      output.append(BinaryTag.negative)
      writeVarint(UInt128(-1 - number))
    }
  }

  private mutating func writeKey(_ name: String) {
    if let number = keys[name] { return writeVarint(UInt128(number)) }
    let length = name.utf8.count
    if length <= BinaryTag.numberedKeyLength { keys[name] = keys.count + 1 }
    writeVarint(0)
    writeVarint(UInt128(length))
    output.append(contentsOf: name.utf8)
  }

  private mutating func writeVarint(_ number: UInt128) {
    var rest = number
    while rest > 0x7F {
      output.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    output.append(UInt8(truncatingIfNeeded: rest))
  }
}
