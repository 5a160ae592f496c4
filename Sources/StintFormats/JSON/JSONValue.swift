public import StintUnits

/// A JSON value with its location; objects keep the order of their keys.
public struct JSONValue: Hashable, Sendable {
  /// The type and content of a JSON value.
  public indirect enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number without fraction and exponent that fits in 64 bits.
    case integer(Int64)
    /// A number without fraction and exponent that fits in 128 bits, but not in 64 bits with sign.
    case largeInteger(Int128)
    /// Any other number. JSON text has only finite numbers; the format of `BinaryEncoder` also has NaN
    /// and infinity.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  /// The type and content.
  public var content: Content
  /// The location of the first character; `.none` for values that were not read from a file.
  public var place: TextLocation

  /// The value null.
  public static let null = JSONValue(.null)

  /// Makes a value.
  public init(_ content: Content, at place: TextLocation = .none) {
    self.content = content
    self.place = place
  }

  /// The type of the value with its article, for messages: “a string”.
  public var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "true or false"
    case .integer, .largeInteger, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// True for null.
  var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// The value of a key; nil when this is not an object or does not have the key.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The members of an object; nil for other types.
  public var members: [JSONMember]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The elements of an array; nil for other types.
  public var items: [JSONValue]? {
    guard case .array(let items) = content else { return nil }
    return items
  }

  /// The string; nil for other types.
  public var string: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The Boolean value; nil for other types.
  public var boolean: Bool? {
    guard case .boolean(let truth) = content else { return nil }
    return truth
  }

  /// The integer; nil for other types. Also nil for numbers that are not stored as an integer, and for
  /// integers that do not fit in 64 bits.
  public var integer: Int64? {
    guard case .integer(let number) = content else { return nil }
    return number
  }

  /// The number; nil for other types. A large integer is rounded to the nearest double.
  public var number: Double? {
    switch content {
    case .integer(let number): Double(number)
    case .largeInteger(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

/// There is no conformance to `ExpressibleByNilLiteral`. With this conformance, `nil` in a context of type
/// `JSONValue?` would become the value null instead of no value.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self.init(.string(value)) }
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }
  public init(floatLiteral value: Double) { self.init(.number(value)) }
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
  /// Makes an object; the keys keep their order.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(elements.map { JSONMember($0.0, $0.1) }))
  }

  /// Makes a string; null when `text` is nil.
  public init(_ text: String?) { self.init(text.map(Content.string) ?? .null) }
  /// Makes an integer.
  public init(_ number: Int64) { self.init(.integer(number)) }
  /// Makes an integer.
  public init(_ number: Int) { self.init(.integer(Int64(number))) }
  /// Makes an integer.
  public init(_ number: Int128) {
    self.init(Int64(exactly: number).map(Content.integer) ?? .largeInteger(number))
  }
  /// Makes a number.
  ///
  /// - Precondition: `number` is finite; JSON has no other numbers.
  public init(_ number: Double) {
    precondition(number.isFinite, "JSON numbers are finite")
    self.init(.number(number))
  }
  /// Makes a Boolean value.
  public init(_ truth: Bool) { self.init(.boolean(truth)) }
  /// Makes an array.
  public init(_ items: [JSONValue]) { self.init(.array(items)) }
  /// Makes an object with its keys in this order.
  public init(_ members: [JSONMember]) { self.init(.object(members)) }
}

extension JSONValue {
  /// Returns the location of the part at a path such as `states[2].power`. When the path does not exist,
  /// returns the location of its last existing part. Only the last key of the path may contain dots.
  func place(at path: String) -> TextLocation {
    var value = self
    var rest = path[...]
    while !rest.isEmpty {
      if rest.first == "." { rest = rest.dropFirst() }
      if let key = value.members?.first(where: { $0.name == rest }) { return key.value.place }
      if rest.first == "[" {
        let digits = rest.dropFirst().prefix { $0 != "]" }
        guard let index = Int(digits), let items = value.items, items.indices.contains(index) else { break }
        value = items[index]
        rest = rest.dropFirst(digits.count + 2)
      } else {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard let part = value[String(name)] else { break }
        value = part
        rest = rest.dropFirst(name.count)
      }
    }
    return value.place
  }
}
