import StintUnits

// One generic function satisfies the protocol requirements for all types. Numbers and strings also decode
// themselves from a single-value container. The standard library rejects integers of 128 bits unless a
// container has functions for exactly these types.

/// The members of an object that is decoded.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let node: DecodingNode
  let members: [JSONMember]

  var codingPath: [any CodingKey] { node.codingPath }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { node.member(key.stringValue, of: members) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key.stringValue).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try node.context.decode(type, from: value(key.stringValue), at: path(key.stringValue))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try node.context.node(value(key.stringValue), at: path(key.stringValue)).integer(type)
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try node.context.node(value(key.stringValue), at: path(key.stringValue)).integer(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key.stringValue).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try nested("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder { try nested(key.stringValue) }

  private func path(_ name: String) -> CodingPath { .key(name, of: node.path) }

  private func value(_ name: String) throws(Problem) -> JSONValue {
    guard let value = node.member(name, of: members) else { throw node.missing(name) }
    return value
  }

  private func nested(_ name: String) throws(Problem) -> DecodingNode {
    node.nested(try value(name), at: path(name))
  }
}

/// The elements of an array that is decoded.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let node: DecodingNode
  let items: [JSONValue]
  private(set) var currentIndex = 0

  init(node: DecodingNode, items: [JSONValue]) {
    self.node = node
    self.items = items
  }

  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex == items.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try node.context.decode(type, from: next(), at: path)
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

  private mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Problem) -> Value {
    let value = try node.context.node(next(), at: path).integer(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try nested() }

  private var path: CodingPath { .index(currentIndex, of: node.path) }

  private func next() throws(Problem) -> JSONValue {
    guard currentIndex < items.count else {
      let elements = items.count == 1 ? "1 element" : "\(items.count) elements"
      throw node.problem(.missing, "the array ends after \(elements)", remedy: "add the missing elements")
    }
    return items[currentIndex]
  }

  private mutating func nested() throws(Problem) -> DecodingNode {
    let nested = node.nested(try next(), at: path)
    currentIndex += 1
    return nested
  }
}

/// A value that is decoded as a Boolean value, a number, a string or another type.
struct SingleValueDecoding: SingleValueDecodingContainer {
  let node: DecodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  func decodeNil() -> Bool { node.value.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard let truth = node.value.boolean else {
      throw node.mismatch("true or false", remedy: "write one of them without quotes")
    }
    return truth
  }

  func decode(_ type: String.Type) throws -> String {
    guard let text = node.value.string else {
      throw node.mismatch("a string", remedy: "put it between \"quotes\"")
    }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard let number = node.value.number else {
      throw node.mismatch("a number", remedy: "write it without quotes and unit")
    }
    return number
  }

  func decode(_ type: Float.Type) throws -> Float {
    let number = try decode(Double.self)
    let short = Float(number)
    guard short.isFinite || !number.isFinite else {
      throw node.problem(.value, "\(number) is out of range", remedy: "write at most 3.4e38")
    }
    return short
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try node.integer(type) }

  func decode(_ type: UInt128.Type) throws -> UInt128 { try node.integer(type) }

  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try node.integer(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try node.context.decode(type, from: node.value, at: node.path)
  }
}
