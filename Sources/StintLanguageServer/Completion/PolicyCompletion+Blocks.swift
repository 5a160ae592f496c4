import StintAuthoring
import StintLanguage
import StintModel
import StintUnits

extension PolicyCompletion {
  // MARK: Settings

  func settings(of name: String?, isDefault: Bool) -> [Expectation] {
    values(of: name, .settings(of: name, more: isDefault ? ["linger", "max_age"] : []))
  }

  func ceilings(of name: String?) -> [Expectation] { values(of: name, .attributes(of: name)) }

  private func values(of name: String?, _ names: Expectation) -> [Expectation] {
    guard let last else { return [names] }
    guard let setting = openSetting() else { return [names] }
    if last.kind == .number { return [.units(dimension(ofSetting: setting, of: name).map { [$0] } ?? [])] }
    return [.values(ofSetting: setting, of: name)]
  }

  /// Returns the setting whose value is incomplete; nil when all values are complete.
  private func openSetting() -> String? {
    var index = 0
    while index < clause.count {
      guard let end = valueEnd(from: index + 1) else { return clause[index].text }
      index = end
    }
    return nil
  }

  /// Returns the end index of the value that begins at an index; nil when the value is incomplete.
  private func valueEnd(from start: Int) -> Int? {
    guard start < clause.count else { return nil }
    guard clause[start].kind == .number else { return start + 1 }
    var end = start + 1
    if end < clause.count, clause[end].isWord("per") {
      end += 1
      if end < clause.count, clause[end].kind == .number { end += 1 }
    }
    guard end < clause.count else { return nil }
    // A number without a unit ends with its line.
    if clause[end].isFirstOnLine { return end }
    end += 1
    return end < clause.count && clause[end].kind == .number ? valueEnd(from: end) : end
  }

  private func dimension(ofSetting setting: String, of name: String?) -> Dimension? {
    switch setting {
    case "linger", "max_age", "latency", "deadline": return .time
    case "up", "down": return .data
    default:
      let device = name.map { reading.device($0) ?? DeviceID($0) }
      return device.flatMap { reading.vocabulary.manifest($0)?.attribute(named: setting)?.type.dimension }
    }
  }

  // MARK: Directives

  func statement() -> [Expectation] {
    guard let verb = clause.first else { return [.keywords(Keywords.verbs)] }
    if let ending = ending() { return ending }
    let tail = clause.dropFirst()
    let more: [Expectation]
    switch verb.text {
    case "emit", "launch", "tell": return tail.isEmpty ? [] : [.keywords(Keywords.verbs)]
    case "watch":
      let what: [Expectation] = [.zones, .keyword("visits", "moves")]
      more = afterWord("on").map { devices($0) } ?? (tail.isEmpty ? what : [.keyword("on")])
    case "downgrade": more = afterWord("to").map { limit($0, [.length, .rate]) } ?? target(tail, then: "to")
    case "batch": more = afterWord("until").map { bounds($0) } ?? target(tail, then: "until")
    case "fix": more = fix(tail)
    case "defer": more = deferral(tail)
    case "start": more = target(tail, then: "for", "with")
    case "stop": more = target(tail, then: "except", "for")
    default: more = target(tail, then: "for")
    }
    return more
  }

  /// Returns the expectations within `for 5 min doubling to 1 h at most 8 times`. Nil while no number follows
  /// `for`.
  private func ending() -> [Expectation]? {
    guard let start = clause.lastIndex(where: { $0.isWord("for") }), start + 1 < clause.count,
      clause[start + 1].kind == .number, let last
    else { return nil }
    let tail = clause[(start + 1)...]
    if tail.contains(where: { $0.isWord("most") }) { return last.kind == .number ? [.keyword("times")] : [] }
    if last.isWord("at") { return [.keyword("most")] }
    if last.isWord("doubling") { return [.keyword("to")] }
    if last.isWord("to") { return [] }
    if last.kind == .number { return [.units([.time])] }
    return [.keyword("doubling", "at"), .keywords(Keywords.verbs)]
  }

  /// Returns the expectations for the devices of a directive, then for the words that may follow the devices.
  private func target(_ tail: ArraySlice<Piece>, then words: String...) -> [Expectation] {
    let devices = devices(tail)
    if !devices.isEmpty { return devices }
    let isOpen = tail.contains { $0.text == "[" } && !tail.contains { $0.text == "]" }
    if isOpen || tail.last?.isOne(of: ["for", "except"]) == true { return [] }
    return [.keywords(words), .keywords(Keywords.verbs)]
  }

  /// Returns the expectations for a quantity or a parameter of one of these dimensions.
  private func limit(_ tail: ArraySlice<Piece>, _ dimensions: [Dimension]) -> [Expectation] {
    guard let last = tail.last else { return [.parameters(dimensions)] }
    if last.isWord("per") { return [.units([.time])] }
    if last.kind == .number {
      if tail.dropLast().last?.isWord("per") == true { return [.units([.time])] }
      return [.units(dimensions)] + (dimensions.contains(.rate) ? [.keyword("per")] : [])
    }
    return [.keyword("for"), .keywords(Keywords.verbs)]
  }

  private func bounds(_ tail: ArraySlice<Piece>) -> [Expectation] {
    let dimensions: [Dimension] = [.time, .length, .items, .data]
    if tail.last?.isWord("or") == true { return [.parameters(dimensions)] }
    let more = limit(tail, dimensions)
    return tail.isEmpty || tail.last?.kind == .number ? more : [.keyword("or")] + more
  }

  private func fix(_ tail: ArraySlice<Piece>) -> [Expectation] {
    if let timeout = afterWord("timeout") { return timeout.last?.kind == .number ? [.units([.time])] : [] }
    guard let accuracy = afterWord("to") else { return target(tail, then: "to") }
    if accuracy.isEmpty { return [] }
    return accuracy.last?.kind == .number ? [.units([.length])] : [.keyword("timeout")]
  }

  private func deferral(_ tail: ArraySlice<Piece>) -> [Expectation] {
    if let deadline = afterWord("deadline") {
      if deadline.isEmpty { return [] }
      return deadline.last?.kind == .number
        ? [.units([.time])] : [.keyword("for"), .keywords(Keywords.verbs)]
    }
    guard let until = afterWord("until") else { return target(tail, then: "until", "for") }
    return condition(until, ["deadline"])
  }

  private func afterWord(_ word: String) -> ArraySlice<Piece>? {
    clause.firstIndex { $0.isWord(word) }.map { clause[($0 + 1)...] }
  }

  // MARK: Machines, budgets, tests

  func state() -> [Expectation] {
    switch clause.first?.text {
    case nil: return [.keywords(Keywords.verbs + ["rule", "goto"])]
    case "rule": return rule()
    case "goto":
      if clause.count == 1 { return [.states(of: place.name)] }
      return clause.count == 2 ? [.keyword("when")] : condition(clause.dropFirst(3))
    default: return statement()
    }
  }

  func step() -> [Expectation] {
    guard let last else { return [.keyword("at")] }
    return last.kind == .number ? [.units([.ratio])] : []
  }

  func testStep() -> [Expectation] {
    guard let first = clause.first, let last else { return [.keyword("given", "at", "expect")] }
    let more = Expectation.keyword("given", "at", "expect")
    if first.isWord("expect") { return expectation() }
    if let on = afterWord("on"), on.isEmpty { return [.devices] }
    if clause.contains(where: { $0.isWord("attach") }) {
      return last.kind == .string
        ? [.keyword("on", "with"), more] : last.isWord("attach") ? [] : [.keyword("with"), more]
    }
    if last.isOne(of: ["given", "set", ","]) { return [.facts] }
    if let equals = clause.lastIndex(where: { $0.text == "=" }) {
      return assignment(clause[equals - 1].text, clause[(equals + 1)...]) ?? [more]
    }
    if first.isWord("given") { return [] }
    if clause.count == 1 { return [] }
    if last.kind == .number { return [.units([.time])] }
    return last.isOne(of: ["detach", "reload"]) ? [] : [.keyword("set", "attach", "detach", "reload")]
  }

  private func assignment(_ fact: String, _ value: ArraySlice<Piece>) -> [Expectation]? {
    guard let last = value.last else { return [.words(of: fact)] }
    guard last.kind == .number else { return nil }
    return [.units(reading.type(of: fact)?.dimension.map { [$0] } ?? [])]
  }

  private func expectation() -> [Expectation] {
    if let cause = afterWord("because") {
      return cause.isEmpty ? [.rules] : [.keyword("given", "at", "expect")]
    }
    let tail = clause.dropFirst()
    guard let moment = tail.lastIndex(where: { $0.isOne(of: ["at", "by"]) }) else {
      return condition(tail, ["at", "by", "because"]) + (expectsOperand(tail) ? [.rules] : [])
    }
    if moment == clause.count - 1 { return [] }
    return last?.kind == .number
      ? [.units([.time])] : [.keyword("because"), .keyword("given", "at", "expect")]
  }

  /// Returns true where an operand is valid. In a test, the name of a rule is also an operand: the name is
  /// true while the rule is in force.
  private func expectsOperand(_ tail: ArraySlice<Piece>) -> Bool {
    tail.last?.isOne(of: ["and", "or", "not", "implies", "("]) ?? true
  }
}
