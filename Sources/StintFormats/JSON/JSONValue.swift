public import StintUnits

/// A JSON value that knows where it stands; objects keep the order of their keys.
public struct JSONValue: Hashable, Sendable {
  /// What sort of value it is.
  public indirect enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number written without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number; always finite.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  public var content: Content
  /// Where the first character of the value stands; `.none` for values that were built.
  public var place: TextLocation

  /// Makes a value.
  public init(_ content: Content, at place: TextLocation = .none) {
    self.content = content
    self.place = place
  }

  /// The word people use for this sort of value.
  public var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "true or false"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value of a key; nil when this is no object or has no such key.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The members of an object; nil for everything else.
  public var members: [JSONMember]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The items of a list; nil for everything else.
  public var items: [JSONValue]? {
    guard case .array(let items) = content else { return nil }
    return items
  }

  /// The text; nil for everything else.
  public var string: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The truth value; nil for everything else.
  public var boolean: Bool? {
    guard case .boolean(let truth) = content else { return nil }
    return truth
  }

  /// The whole number; nil for everything else, fractions included.
  public var integer: Int64? {
    guard case .integer(let number) = content else { return nil }
    return number
  }

  /// The number, rounded to a double where it was a large whole one; nil for everything else.
  public var number: Double? {
    switch content {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self.init(.string(value)) }
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }
  public init(floatLiteral value: Double) { self.init(.number(value)) }
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }
  public init(nilLiteral: ()) { self.init(.null) }
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
  /// Keeps the order of the keys as written.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(elements.map { JSONMember($0.0, $0.1) }))
  }

  /// A text, or null where there is none.
  public init(_ text: String?) { self.init(text.map(Content.string) ?? .null) }
  /// A whole number.
  public init(_ number: Int64) { self.init(.integer(number)) }
  /// A whole number.
  public init(_ number: Int) { self.init(.integer(Int64(number))) }
  /// A whole number; one beyond 64 bits is rounded to the nearest floating-point number.
  public init(_ number: Int128) {
    self.init(Int64(exactly: number).map(Content.integer) ?? .number(Double(number)))
  }
  /// A number.
  ///
  /// - Precondition: it is finite; JSON has no other numbers.
  public init(_ number: Double) {
    precondition(number.isFinite, "JSON has finite numbers only")
    self.init(.number(number))
  }
  /// A truth value.
  public init(_ truth: Bool) { self.init(.boolean(truth)) }
  /// A list.
  public init(_ items: [JSONValue]) { self.init(.array(items)) }
  /// An object with its keys in this order.
  public init(_ members: [JSONMember]) { self.init(.object(members)) }
}

extension JSONValue {
  /// The place of the part that a path such as `states[2].power` leads to; where the path leads nowhere,
  /// the place of the last part that is there. Keys may hold dots themselves.
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
