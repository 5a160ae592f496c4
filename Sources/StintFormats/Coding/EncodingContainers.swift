import StintUnits

// One generic function satisfies the protocol requirements for all types. Numbers and strings also encode
// themselves into a single-value container. The standard library rejects integers of 128 bits unless a
// container has functions for exactly these types.

/// The members of an object that is encoded.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil(forKey key: Key) { node.add(.value(.null), named: key.stringValue) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    node.add(.value(try node.encoded(value, at: path(key.stringValue))), named: key.stringValue)
  }

  func encode(_ value: Int128, forKey key: Key) {
    node.add(.value(JSONValue(value)), named: key.stringValue)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    node.add(.value(try node.integer(value, at: path(key.stringValue))), named: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    nested(key.stringValue).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { nested("super") }

  func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

  private func path(_ name: String) -> CodingPath { .key(name, of: node.path) }

  private func nested(_ name: String) -> EncodingNode {
    let nested = node.nested(at: path(name))
    node.add(.node(nested), named: name)
    return nested
  }
}

/// The elements of an array that is encoded.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.count }

  func encodeNil() { node.add(.value(.null)) }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.add(.value(try node.encoded(value, at: path)))
  }

  func encode(_ value: Int128) { node.add(.value(JSONValue(value))) }

  func encode(_ value: UInt128) throws { node.add(.value(try node.integer(value, at: path))) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nested().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

  func superEncoder() -> any Encoder { nested() }

  private var path: CodingPath { .index(node.count, of: node.path) }

  private func nested() -> EncodingNode {
    let nested = node.nested(at: path)
    node.add(.node(nested))
    return nested
  }
}

/// Encodes one value without members or elements, such as a number or a string, or passes a value
/// to its own encoding function.
struct SingleValueEncoding: SingleValueEncodingContainer {
  let node: EncodingNode

  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil() { node.setSingle(.null) }

  func encode(_ value: Bool) { node.setSingle(JSONValue(value)) }

  func encode(_ value: String) { node.setSingle(JSONValue(value)) }

  func encode(_ value: Double) throws {
    guard value.isFinite || !node.format.isText else {
      throw node.error(
        .value, "the number is \(value)", remedy: "encode only finite numbers, or nil for a missing number")
    }
    node.setSingle(JSONValue(.number(value)))
  }

  func encode(_ value: Float) throws {
    // The shortest decimal text of a Float, read as a Double, usually differs from the exact value of the
    // Float. This Double is encoded if it converts back to the same Float, because this Double has the
    // shorter text.
    let short = Double(value.description) ?? Double(value)
    try encode(Float(short) == value ? short : Double(value))
  }

  func encode(_ value: Int128) { node.setSingle(JSONValue(value)) }

  func encode(_ value: UInt128) throws { node.setSingle(try node.integer(value, at: node.path)) }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    node.setSingle(try node.integer(value, at: node.path))
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    node.setSingle(try node.encoded(value, at: node.path, isDeeper: false))
  }
}
