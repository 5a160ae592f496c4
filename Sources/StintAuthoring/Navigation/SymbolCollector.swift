import StintLanguage
import StintModel

/// Traverses a tree and records every name. Declarations are recorded first, so that a name may be used
/// before its declaration.
struct SymbolCollector {
  let vocabulary: Vocabulary
  /// The name of the policy.
  let policy: String
  private(set) var definitions: [SymbolDefinition] = []
  var mentions: [Mention] = []
  /// True within an expectation. There, the name of a rule is a condition that is true while the rule is
  /// active.
  var isInTest = false
  /// The devices by their short names.
  private var devices: [String: DeviceID] = [:]
  private var shared: [String: Symbol] = [:]
  private var rules: Set<String> = []
  private var states: Set<Symbol> = []

  init(vocabulary: Vocabulary, policy: String) {
    self.vocabulary = vocabulary
    self.policy = policy
  }

  // MARK: Declarations

  mutating func declare(_ item: PolicyItem) {
    switch item {
    case .use(let item):
      declare(.device, item.alias, item.span)
      if devices[item.alias.text] == nil { devices[item.alias.text] = item.device(in: vocabulary) }
    case .let(let item): declare(.let, item.name, item.span)
    case .parameter(let item): declare(.parameter, item.name, item.span)
    case .schedule(let item): declare(.schedule, item.name, item.span)
    case .zone(let item): declare(.zone, item.name, item.span)
    case .budget(let item): declare(.budget, item.name, item.span)
    case .rule(let item): declare(.rule, item.name, item.span)
    case .machine(let item): declare(item)
    case .default, .require, .test: return
    }
  }

  private mutating func declare(_ machine: MachineItem) {
    declare(.machine, machine.name, machine.span)
    for state in machine.states {
      declare(.state, state.name, state.span, of: machine.name.text)
      for case .rule(let rule) in state.body { declare(.rule, rule.name, rule.span) }
    }
  }

  private mutating func declare(
    _ kind: Symbol.Kind, _ name: Name, _ span: SourceSpan, of owner: String? = nil
  ) {
    guard !name.text.isEmpty else { return }
    let symbol = Symbol(kind, name.text, of: owner)
    definitions.append(SymbolDefinition(symbol: symbol, nameSpan: name.span, span: span))
    mentions.append(Mention(.symbol(symbol), name.span, isDefinition: true))
    switch kind {
    case .rule: rules.insert(name.text)
    case .state: states.insert(symbol)
    default: if shared[name.text] == nil { shared[name.text] = symbol }
    }
  }

  // MARK: Names

  mutating func note(_ meaning: Mention.Meaning, _ span: SourceSpan) {
    guard span.end > span.start else { return }
    mentions.append(Mention(meaning, span))
  }

  /// Returns the symbol with this name; nil when the name is not declared. Rules and states have namespaces
  /// of their own, which this function does not search.
  func symbol(_ name: String) -> Symbol? { shared[name] }

  /// Returns the device of a declared short name, or of the full name of an existing device. Nil for any
  /// other name.
  func device(_ name: String) -> DeviceID? {
    if shared[name]?.kind == .device { return devices[name] }
    let device = DeviceID(name)
    return vocabulary.manifest(device) == nil ? nil : device
  }

  mutating func noteDevice(_ name: Name) {
    if let symbol = shared[name.text] {
      note(.symbol(symbol), name.span)
    } else if vocabulary.manifest(DeviceID(name.text)) != nil {
      note(.device(DeviceID(name.text)), name.span)
    } else if name.text != "all" {
      note(.unknown(name.text), name.span)
    }
  }

  /// Records a name in a condition: a symbol, a fact, or a short name followed by the rest of a path.
  mutating func notePath(_ name: Name) {
    if name.text == "true" || name.text == "false" { return }
    if let symbol = shared[name.text] { return note(.symbol(symbol), name.span) }
    if isInTest, rules.contains(name.text) { return note(.symbol(Symbol(.rule, name.text)), name.span) }
    if name.text == "unexplained" { return note(.function(name.text), name.span) }
    if vocabulary.declaredSchema(name.text) != nil { return note(.fact(name.text), name.span) }
    if isClientFact(name.text) { return note(.fact(name.text), name.span) }
    let words = name.text.split(separator: ".", maxSplits: 1).map(String.init)
    // When spaces surround a dot, the positions of the parts cannot be computed from their lengths.
    let isTight = name.span.end - name.span.start == name.text.utf8.count
    guard words.count == 2, isTight, let symbol = shared[words[0]], let device = devices[words[0]],
      symbol.kind == .device
    else {
      return note(
        vocabulary.manifest(DeviceID(name.text)).map { .device($0.device) } ?? .unknown(name.text), name.span)
    }
    let dot = name.span.start + words[0].utf8.count
    note(.symbol(symbol), SourceSpan(start: name.span.start, end: dot))
    let path = "\(device).\(words[1])"
    note(
      vocabulary.declaredSchema(path) == nil ? .unknown(path) : .fact(path),
      SourceSpan(start: dot + 1, end: name.span.end))
  }

  /// Returns true when the name is a fact of the client (`client.*`).
  private func isClientFact(_ name: String) -> Bool {
    shared["client"] == nil && ClientFact.names.contains(name)
  }

  /// Returns the full path of the fact that a name refers to; nil for any other name. The name of a device
  /// refers to the `state` fact of the device. For a path after a short device name, the function does not
  /// check that the fact exists.
  func factPath(_ name: String) -> String? {
    if vocabulary.declaredSchema(name) != nil || isClientFact(name) { return name }
    if let device = device(name) { return device.path + ".state" }
    let words = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard words.count == 2, shared[words[0]]?.kind == .device, let device = devices[words[0]] else {
      return nil
    }
    return "\(device).\(words[1])"
  }

  /// Records a word with which an operand is compared.
  mutating func note(word: Name, of operand: SyntaxExpression) {
    guard case .path(let name) = operand.kind else {
      if case .parenthesised(let inner) = operand.kind { note(word: word, of: inner) }
      return
    }
    if let symbol = shared[name.text], symbol.kind == .machine {
      let state = Symbol(.state, word.text, of: symbol.name)
      return note(states.contains(state) ? .symbol(state) : .unknown(word.text), word.span)
    }
    guard let path = factPath(name.text) else { return }
    note(.word(word.text, of: path), word.span)
  }

  mutating func note(state name: Name, of machine: Name) {
    let state = Symbol(.state, name.text, of: machine.text)
    note(states.contains(state) ? .symbol(state) : .unknown(name.text), name.span)
  }

  /// Records the name of a rule, such as `pack` or `other-policy/pack`. The name may also be `trail` for a
  /// budget, `trail-80` for a step of the budget, or `trip-riding` for a state.
  mutating func note(rule name: Name) {
    guard let slash = name.text.lastIndex(of: "/") else { return note(rule: name.text, name.span) }
    let owner = String(name.text[..<slash])
    let rule = String(name.text[name.text.index(after: slash)...])
    let span = SourceSpan(start: name.span.end - rule.utf8.count, end: name.span.end)
    if owner == policy { return note(rule: rule, span) }
    note(.foreignRule(RuleID(policy: owner, rule: rule)), span)
  }

  private mutating func note(rule: String, _ span: SourceSpan) {
    if rules.contains(rule) { return note(.symbol(Symbol(.rule, rule)), span) }
    // Names contain no hyphens, so each part is a name: `trip-parked-riding` is a goto from one state to
    // another.
    let parts = rule.split(separator: "-").map(String.init)
    guard let symbol = parts.first.flatMap({ shared[$0] }), symbol.kind == .budget || symbol.kind == .machine
    else { return note(.unknown(rule), span) }
    var start = span.start
    for (number, part) in parts.enumerated() {
      let partSpan = SourceSpan(start: start, end: start + part.utf8.count)
      let state = Symbol(.state, part, of: symbol.name)
      if number == 0 {
        note(.symbol(symbol), partSpan)
      } else if states.contains(state) {
        note(.symbol(state), partSpan)
      }
      start = partSpan.end + 1
    }
  }
}
