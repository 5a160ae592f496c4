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
