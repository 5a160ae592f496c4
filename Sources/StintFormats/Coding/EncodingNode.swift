import StintUnits

/// The encoder of one value: collects its containers and builds a `JSONValue` from them.
///
/// Some functions of the container protocols cannot throw. The node keeps the first error of these functions
/// until `finish`, which throws it.
final class EncodingNode: Encoder {
  /// A finished value, or a nested container that receives values until the node finishes.
  enum Part {
    case value(JSONValue)
    case node(EncodingNode)
  }

  private enum Kind {
    case empty
    case single
    case array
    case object
  }

  let format: CodingFormat
  let path: CodingPath
  /// The number of enclosing arrays and objects.
  private let depth: Int
  /// The number of enclosing nodes. A value that encodes another value in its place adds a node but no depth,
  /// so this number may exceed `depth`.
  private let level: Int
  private let order: EncodingOrder
  private var kind = Kind.empty
  private var parts: [Part] = []
  private var names: [String] = []
  /// The names of an object with many members; empty for small objects, where a search is faster.
  private var nameSet: Set<String> = []
  private var problem: Problem?

  private init(
    _ format: CodingFormat, at path: CodingPath, depth: Int, level: Int, order: EncodingOrder = .asEncoded
  ) {
    self.format = format
    self.path = path
    self.depth = depth
    self.level = level
    self.order = order
  }

  static func value(of value: some Encodable, _ format: CodingFormat) throws(Problem) -> JSONValue {
    try EncodingNode(format, at: .root, depth: 0, level: 0).encoded(value, at: .root, isDeeper: false)
  }

  // MARK: Encoder

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { format.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object)
    return KeyedEncodingContainer(KeyedEncoding<Key>(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedEncoding(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoding(node: self) }

  // MARK: Collecting parts

  /// The number of parts that are already encoded.
  var count: Int { parts.count }

  private func open(_ kind: Kind) {
    if self.kind == .empty { self.kind = kind }
    if self.kind != kind { fail(.content, "the value encodes two different kinds of containers") }
    if depth >= format.depthLimit { fail(.depth, "nested more than \(format.depthLimit) levels deep") }
  }

  func add(_ part: Part, named name: String) {
    if names.count == 8 { nameSet = Set(names) }
    if names.count < 8 ? names.contains(name) : !nameSet.insert(name).inserted {
      fail(.duplicate, "the key “\(Excerpt.text(name))” is encoded twice")
    }
    names.append(name)
    parts.append(part)
  }

  func add(_ part: Part) { parts.append(part) }

  func setSingle(_ value: JSONValue) {
    if kind != .empty { fail(.content, "the value encodes a single value after other values") }
    kind = .single
    parts.append(.value(value))
  }

  /// Returns a node for a nested container, which the caller adds as a part.
  func nested(at path: CodingPath) -> EncodingNode {
    EncodingNode(format, at: path, depth: depth + 1, level: level + 1)
  }

  /// Encodes a part of this value.
  ///
  /// - Parameter isDeeper: false for a value that replaces this value instead of being a part of it.
  func encoded<Value: Encodable>(
    _ value: Value, at path: CodingPath, isDeeper: Bool = true
  ) throws(Problem) -> JSONValue {
    let node = EncodingNode(
      format, at: path, depth: depth + (isDeeper ? 1 : 0), level: level + 1,
      order: (Value.self as? any UnorderedValue.Type)?.arrayOrder ?? .asEncoded)
    // The limits end the recursion before it exhausts the stack.
    guard node.depth <= format.depthLimit, node.level <= 4 * format.depthLimit else {
      throw node.error(.depth, "nested more than \(format.depthLimit) levels deep")
    }
    do {
      try value.encode(to: node)
    } catch {
      throw node.located(error)
    }
    return try node.finish()
  }

  /// Returns an integer of any width as a part of this value.
  func integer(_ value: some FixedWidthInteger, at path: CodingPath) throws(Problem) -> JSONValue {
    if let wide = Int128(exactly: value) { return JSONValue(wide) }
    throw Problem(
      .value, place: Problem.Place("", part: path.text), cause: "\(value) is out of range",
      remedy: "encode at most \(Int128.max)")
  }

  // MARK: Errors

  private func fail(_ code: Problem.Code, _ cause: String) {
    if problem == nil { problem = error(code, cause) }
  }

  func error(_ code: Problem.Code, _ cause: String, remedy: String = "") -> Problem {
    Problem(code, place: Problem.Place("", part: path.text), cause: cause, remedy: remedy)
  }

  private func located(_ error: any Error) -> Problem {
    switch error {
    case var problem as Problem:
      if problem.place == Problem.Place("") { problem.place.part = path.text }
      return problem
    case EncodingError.invalidValue(_, let context): return self.error(.value, context.debugDescription)
    default: return self.error(.value, "\(error)")
    }
  }

  // MARK: The result

  private func finish() throws(Problem) -> JSONValue {
    if let problem { throw problem }
    var values: [JSONValue] = []
    values.reserveCapacity(parts.count)
    for part in parts {
      switch part {
      case .value(let value): values.append(value)
      case .node(let node): values.append(try node.finish())
      }
    }
    switch kind {
    case .single: return values[0]
    case .array: return JSONValue(sorted(values))
    case .empty, .object:
      var members = zip(names, values).map { JSONMember($0, $1) }
      if order != .asEncoded { members.sort { $0.name < $1.name } }
      return JSONValue(members)
    }
  }

  private func sorted(_ values: [JSONValue]) -> [JSONValue] {
    switch order {
    case .asEncoded: return values
    case .elements: return values.sorted { $0.precedes($1) }
    case .pairs:
      let starts = stride(from: 0, to: values.count - 1, by: 2)
      return starts.sorted { values[$0].precedes(values[$1]) }.flatMap { values[$0...$0 + 1] }
    }
  }
}
