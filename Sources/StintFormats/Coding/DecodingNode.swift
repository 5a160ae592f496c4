import StintUnits

/// The state that all nodes of one decoding share.
final class DecodingContext {
  let source: String
  let format: CodingFormat
  let ignoresUnknownKeys: Bool
  /// Problems that do not end the decoding: unknown keys.
  private var problems: [Problem] = []

  init(source: String, _ format: CodingFormat, ignoresUnknownKeys: Bool) {
    self.source = source
    self.format = format
    self.ignoresUnknownKeys = ignoresUnknownKeys
  }

  /// The number of unknown keys that can still be reported. The limit keeps the memory for errors small.
  var reportsLeft: Int { 100 - problems.count }

  /// Adds a problem that does not end the decoding.
  func report(_ problem: Problem) { problems.append(problem) }

  /// Decodes a whole value.
  ///
  /// - Parameter root: the path of the value in its file.
  /// - Throws: all problems, in order of location.
  func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue, root: CodingPath = .root
  ) throws(Problem) -> Value {
    let result = try decode(type, from: value, at: root)
    if !problems.isEmpty { throw Problem(all: problems) }
    return result
  }

  /// Returns the decoder of a part of a value.
  func node(_ value: JSONValue, at path: CodingPath) -> DecodingNode { DecodingNode(value, at: path, self) }

  /// Decodes a part of a value.
  ///
  /// - Throws: the error that ended the decoding of this part, with the unknown keys found before it.
  ///   These unknown keys are no longer in `problems`, so that a type can catch the error and decode the
  ///   value differently.
  func decode<Value: Decodable>(
    _ type: Value.Type, from value: JSONValue, at path: CodingPath
  ) throws(Problem) -> Value {
    let node = node(value, at: path)
    let start = problems.count
    do {
      let result = try type.init(from: node)
      try node.finish()
      return result
    } catch {
      let problem = node.located(error, decoding: type)
      let all = problems[start...] + [problem]
      problems.removeSubrange(start...)
      throw Problem(all: Array(all))
    }
  }
}

/// The decoder of one value.
///
/// The node records the requested keys of its containers. When the value is decoded, every other key of the
/// object is a problem.
final class DecodingNode: Decoder {
  let value: JSONValue
  let path: CodingPath
  let context: DecodingContext
  /// The type of the keys with which the value was decoded; nil if it was not decoded as an object.
  private(set) var keyType: (any CodingKey.Type)?
  /// The requested keys, each once, in the order of the first requests.
  private(set) var requested: [String] = []
  private var isUsed = false
  private var nestedNodes: [DecodingNode] = []
  /// For each member, whether its key was requested.
  private var isRequested: [Bool] = []
  /// The index of each name in an object with many members; empty for small objects, where a search is
  /// faster.
  private var indexes: [String: Int] = [:]

  init(_ value: JSONValue, at path: CodingPath, _ context: DecodingContext) {
    self.value = value
    self.path = path
    self.context = context
  }

  // MARK: Decoder

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { context.format.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    isUsed = true
    guard let members = value.members else {
      throw mismatch("an object", remedy: "put keys and values between { and }")
    }
    keyType = type
    prepare(members)
    return KeyedDecodingContainer(KeyedDecoding<Key>(node: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    isUsed = true
    guard let items = value.items else {
      throw mismatch("an array", remedy: "put it between [ and ]")
    }
    return UnkeyedDecoding(node: self, items: items)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    isUsed = true
    return SingleValueDecoding(node: self)
  }

  /// Returns a node for a nested container. The nested node finishes together with this node.
  func nested(_ value: JSONValue, at path: CodingPath) -> DecodingNode {
    let node = DecodingNode(value, at: path, context)
    nestedNodes.append(node)
    return node
  }

  /// Returns the value as an integer of any width.
  func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Problem) -> Value {
    let digits: String
    switch value.content {
    case .integer(let number):
      if let exact = Value(exactly: number) { return exact }
      digits = "\(number)"
    case .largeInteger(let number):
      if let exact = Value(exactly: number) { return exact }
      digits = "\(number)"
    // The JSON reader stores an integer of more than 128 bits as `.number`.
    case .number(let number) where number.magnitude >= 0x1p63: digits = "\(number)"
    default: throw mismatch("an integer", remedy: "write it without quotes, fraction and unit")
    }
    throw problem(
      .value, "\(digits) is out of range", remedy: "write a number between \(Value.min) and \(Value.max)")
  }

  // MARK: Keys

  private func prepare(_ members: [JSONMember]) {
    guard isRequested.isEmpty else { return }
    isRequested = Array(repeating: false, count: members.count)
    guard members.count > 8 else { return }
    for (index, member) in members.enumerated() where indexes[member.name] == nil {
      indexes[member.name] = index
    }
  }

  private func index(of name: String, in members: [JSONMember]) -> Int? {
    indexes.isEmpty ? members.firstIndex { $0.name == name } : indexes[name]
  }

  /// Returns the value of a key and records the request. Nil when the object does not have the key.
  func member(_ name: String, of members: [JSONMember]) -> JSONValue? {
    guard let index = index(of: name, in: members) else {
      if !requested.contains(name) { requested.append(name) }
      return nil
    }
    if !isRequested[index] {
      isRequested[index] = true
      requested.append(name)
    }
    return members[index].value
  }

  /// Whether the object has a key. The key does not count as requested.
  func hasMember(_ name: String) -> Bool { value.members.map { index(of: name, in: $0) != nil } ?? false }

  /// The members whose keys were not requested.
  var unrequested: [JSONMember] {
    guard let members = value.members else { return [] }
    guard isRequested.count == members.count else { return members }
    return members.indices.filter { !isRequested[$0] }.map { members[$0] }
  }

  /// Reports the object keys that the type did not request.
  ///
  /// - Throws: a problem when the type requested no container and the value is not an object.
  fileprivate func finish() throws(Problem) {
    if !isUsed, value.members == nil {
      throw mismatch("an object", remedy: "put keys and values between { and }")
    }
    for node in nestedNodes { try node.finish() }
    guard !context.ignoresUnknownKeys, keyType != nil || !isUsed else { return }
    for member in unrequested.prefix(max(context.reportsLeft, 0)) { context.report(unknown(member)) }
  }
}
