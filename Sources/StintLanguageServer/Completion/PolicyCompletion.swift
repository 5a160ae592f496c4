import StintAuthoring
import StintLanguage
import StintModel
import StintUnits

/// Computes the expectations at a position of a policy.
struct PolicyCompletion {
  let place: CompletionContext
  let reading: ParsedDocument

  var clause: [Piece] { place.clause }
  var last: Piece? { clause.last }

  func expectations() -> [Expectation] {
    switch place.block {
    case .item: item()
    case .settings(let device, let isDefault): settings(of: device, isDefault: isDefault)
    case .ceilings(let device): ceilings(of: device)
    case .statements: statement()
    case .states: clause.isEmpty ? [.keyword("state")] : []
    case .state: state()
    case .steps: step()
    case .test: testStep()
    }
  }

  // MARK: Items

  private func item() -> [Expectation] {
    switch place.item {
    case "": return header()
    case "use": return use()
    case "let": return behind("=").map { condition($0) } ?? []
    case "require": return condition(clause.dropFirst())
    case "param": return parameter()
    case "schedule": return last?.isOne(of: ["=", ","]) == true ? [.keywords(Self.days)] : []
    case "zone": return zone()
    case "default": return clause.count == 1 ? [.devices] : []
    case "rule": return rule()
    case "machine": return machine()
    case "budget": return budget()
    default: return []
    }
  }

  private static let days = [
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "weekdays", "weekends",
  ]

  private func header() -> [Expectation] {
    guard let last else { return [.keyword("policy")] }
    return last.kind == .string ? [.keyword("version")] : []
  }

  private func use() -> [Expectation] {
    if clause.count == 1 { return [.wholeDevices] }
    if last?.isWord("where") == true { return [.keyword("vendor")] }
    if last?.isWord("as") == true { return [] }
    return clause.contains { $0.isWord("as") } ? [.keyword("required")] : [.keyword("where", "as")]
  }

  private func parameter() -> [Expectation] {
    guard let last else { return [] }
    let unit = clause.dropFirst(3).first { $0.kind == .word || $0.text == "%" }
    let dimension = unit.flatMap { reading.vocabulary.units.named($0.text)?.dimension }
    if last.kind == .number { return [.units(dimension.map { [$0] } ?? [])] }
    return dimension != nil && !clause.contains { $0.isWord("in") } ? [.keyword("in")] : []
  }

  private func zone() -> [Expectation] {
    guard let last, clause.count > 2 else { return [] }
    if last.text == "=" { return [.keyword("circle", "beacon")] }
    if last.kind == .number {
      let word = clause[clause.count - 2].text
      if word == "radius" { return [.units([.length])] }
      if word == "enter_after" || word == "exit_after" { return [.units([.time])] }
    }
    if last.isOne(of: ["circle", "beacon", "radius", "enter_after", "exit_after"]) { return [] }
    if clause.contains(where: { $0.isWord("circle") }), !clause.contains(where: { $0.isWord("radius") }) {
      return [.keyword("radius")]
    }
    let after = Expectation.keyword("enter_after", "exit_after")
    return clause.contains { $0.isWord("beacon") } ? [.keyword("major", "minor"), after] : [after]
  }

  func rule() -> [Expectation] {
    let triggers = ["always", "while", "when", "every"]
    guard clause.count > 1, let last else { return [] }
    guard let begin = clause.indices.dropFirst(2).first(where: { clause[$0].isOne(of: triggers) }) else {
      // The name of another policy may contain hyphens.
      if last.isWord("over") || last.isOne(of: [",", "-"]) { return [.rules] }
      let hasOver = clause.dropFirst(2).contains { $0.isWord("over") }
      return [.keywords(triggers + (hasOver ? [] : ["over"]))]
    }
    let tail = clause[(begin + 1)...]
    switch clause[begin].text {
    case "while": return condition(tail)
    case "when": return edge(tail)
    case "every": return period(tail)
    default: return []
    }
  }

  /// Returns the expectations after `when`.
  private func edge(_ tail: ArraySlice<Piece>) -> [Expectation] {
    guard let at = tail.lastIndex(where: { $0.isWord("at") }) else { return condition(tail, ["at"]) }
    if at == tail.endIndex - 1 { return [.keyword("most")] }
    if last?.kind == .number {
      return clause[clause.count - 2].isWord("per") ? [.units([.time])] : [.units([.rate]), .keyword("per")]
    }
    return last?.isWord("per") == true ? [.units([.time])] : []
  }

  /// Returns the expectations after `every`.
  private func period(_ tail: ArraySlice<Piece>) -> [Expectation] {
    if let condition = tail.firstIndex(where: { $0.isWord("if") }) {
      return self.condition(tail[(condition + 1)...])
    }
    guard let last = tail.last, !last.isWord("flex") else { return [] }
    if last.kind == .number { return [.units([.time])] }
    return [.keywords(tail.contains { $0.isWord("flex") } ? ["if"] : ["flex", "if"])]
  }

  private func machine() -> [Expectation] {
    if last?.isWord("starts") == true { return [.states(of: place.name)] }
    return clause.count == 2 ? [.keyword("starts")] : []
  }

  private func budget() -> [Expectation] {
    guard let last, clause.count > 3 else { return [] }
    if let on = clause.lastIndex(where: { $0.isWord("on") }) { return devices(clause[(on + 1)...]) }
    if last.kind == .number { return [.units([.energy])] }
    if last.isWord("per") { return [.keyword("hour", "day", "week")] }
    guard clause.contains(where: { $0.isWord("per") }) else { return [.keyword("per")] }
    if last.isWord("from") { return [] }
    return [.keywords(clause.contains { $0.isWord("from") } ? ["on"] : ["from", "on"])]
  }

  // MARK: Parts that several places share

  func condition(_ pieces: ArraySlice<Piece>, _ follow: [String] = []) -> [Expectation] {
    ConditionCompletion(pieces: Array(pieces), reading: reading).expectations(followedBy: follow)
  }

  /// Returns the expectations for one device, or several in brackets.
  func devices(_ tail: ArraySlice<Piece>) -> [Expectation] {
    guard let last = tail.last else { return [.devices] }
    return last.isOne(of: ["[", ","]) ? [.devices] : []
  }

  /// Returns the pieces after the first occurrence of a symbol; nil without such a symbol.
  func behind(_ symbol: String) -> ArraySlice<Piece>? {
    clause.firstIndex { $0.kind == .symbol && $0.text == symbol }.map { clause[($0 + 1)...] }
  }
}
