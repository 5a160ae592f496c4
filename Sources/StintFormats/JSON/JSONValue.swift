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
  public var place: FormatPlace

  /// Makes a value.
  public init(_ content: Content, at place: FormatPlace = .none) {
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
