import StintLanguage
import StintModel

extension SymbolCollector {
  mutating func collect(_ item: PolicyItem) {
    switch item {
    case .use(let item): note(.device(item.device(in: vocabulary)), item.path.span)
    case .let(let item): collect(item.value)
    case .parameter, .schedule: return
    case .zone(let item):
      if case .circle(_, _, let radius) = item.shape { collect([radius]) }
      collect([item.enterAfter, item.exitAfter])
    case .default(let item):
      noteDevice(item.target)
      collect(item.settings, of: device(item.target.text))
    case .rule(let item): collect(item)
    case .machine(let item): collect(item)
    case .budget(let item):
      collect([item.amount])
      for name in item.target.names { noteDevice(name) }
      collect(item.steps.map(\.share))
      for step in item.steps { for statement in step.body { collect(statement) } }
    case .require(let item): collect(item.condition)
    case .test(let item): for step in item.steps { collect(step) }
    }
  }

  private mutating func collect(_ machine: MachineItem) {
    note(state: machine.initial, of: machine.name)
    for state in machine.states {
      for statement in state.body {
        switch statement {
        case .directive(let statement): collect(statement)
        case .rule(let rule): collect(rule)
        case .goto(let goto):
          note(state: goto.target, of: machine.name)
          collect(goto.condition)
        }
      }
    }
  }

  private mutating func collect(_ rule: RuleItem) {
    for name in rule.overrides { note(rule: name) }
    switch rule.trigger {
    case .always: break
    case .whilst(let condition): collect(condition)
    case .when(let condition, let atMost):
      collect(condition)
      collect([atMost])
    case .every(let period, let flex, let condition):
      collect([period, flex])
      if let condition { collect(condition) }
    }
    for statement in rule.body { collect(statement) }
  }

  private mutating func collect(_ statement: SyntaxStatement) {
    note(.verb(statement.verb.text), statement.verb.span)
    collect([statement.ending?.duration, statement.ending?.doublingTo])
    if let name = statement.ending?.atMost?.name { collect(.name(name)) }
    switch statement.kind {
    case .start(let target, _, let settings):
      collect(target)
      collect(settings, of: target.names.first.flatMap { device($0.text) })
    case .stop(let target, _), .pause(let target), .flush(let target): collect(target)
    case .fix(let target, let accuracy, let timeout):
      collect(target)
      collect([accuracy, timeout])
    case .downgrade(let target, .value(let value)):
      collect(target)
      collect(value)
    case .downgrade(let target, .settings(let settings)):
      collect(target)
      collect(settings, of: target.names.first.flatMap { device($0.text) })
    case .batch(let target, let bounds):
      collect(target)
      for bound in bounds { collect(bound) }
    case .defer(let target, let until, let deadline):
      collect(target)
      collect([deadline])
      if let until { collect(until) }
    case .watch(let name, let target):
      note(symbol(name.text).map { .symbol($0) } ?? .unknown(name.text), name.span)
      collect(target)
    case .emit, .tell, .launch: return
    }
  }

  private mutating func collect(_ target: SyntaxTarget) {
    for name in target.names { noteDevice(name) }
  }

  /// Records the names that are used in place of quantities.
  private mutating func collect(_ literals: [QuantityLiteral?]) {
    for name in literals.compactMap(\.self).flatMap(\.names) { collect(.name(name)) }
  }

  private mutating func collect(_ value: SyntaxValue) {
    if case .quantity(let literal) = value { collect([literal]) }
    guard case .name(let name) = value else { return }
    note(symbol(name.text).map { .symbol($0) } ?? .unknown(name.text), name.span)
  }

  private mutating func collect(_ settings: [SettingEntry], of device: DeviceID?) {
    for entry in settings {
      note(.setting(entry.name.text, of: device), entry.name.span)
      // A word in a setting refers to a declaration when the policy declares this name and the attribute has
      // no value of this name. Every other word is a value of the setting.
      if case .quantity(let literal) = entry.value { collect([literal]) }
      guard case .name(let name) = entry.value, let symbol = symbol(name.text) else { continue }
      let schema = device.flatMap { vocabulary.manifest($0) }?.attribute(named: entry.name.text)
      if case .symbol(let words) = schema?.type, words.contains(name.text) { continue }
      note(.symbol(symbol), name.span)
    }
  }

  // MARK: Tests

  private mutating func collect(_ step: TestStep) {
    switch step.kind {
    case .given(let assignments), .at(_, .set(let assignments)):
      if case .at(let instant, _) = step.kind { collect([instant]) }
      for assignment in assignments {
        notePath(assignment.path)
        if case .quantity(let literal) = assignment.value { collect([literal]) }
        guard case .name(let word) = assignment.value, let path = factPath(assignment.path.text) else {
          continue
        }
        // A name in place of a quantity is a parameter or a let; otherwise it is a word of the fact.
        if case .quantity? = vocabulary.schema(path)?.type, let symbol = symbol(word.text) {
          note(.symbol(symbol), word.span)
        } else {
          note(.word(word.text, of: path), word.span)
        }
      }
    case .at(let instant, .attach(_, let name, let settings)):
      collect([instant])
      if let name { noteDevice(name) }
      collect(settings, of: name.flatMap { device($0.text) })
    case .at(let instant, _): collect([instant])
    case .expect(let condition, let moment, let cause):
      collect([moment?.literal])
      isInTest = true
      collect(condition)
      isInTest = false
      if let cause { note(rule: cause) }
    }
  }

  // MARK: Expressions

  private mutating func collect(_ expression: SyntaxExpression) {
    switch expression.kind {
    case .quantity(let literal): collect([literal])
    case .number, .string, .missing: return
    case .path(let name): notePath(name)
    case .call(let name, let arguments):
      note(.function(name.text), name.span)
      for argument in arguments { collect(argument) }
    case .not(let operand), .negate(let operand), .parenthesised(let operand): collect(operand)
    case .heldFor(let operand, let span, let tolerate):
      collect(operand)
      collect([span, tolerate])
    case .inLast(let operand, let span):
      collect(operand)
      collect([span])
    case .and(let operands), .or(let operands), .worded(_, let operands):
      for operand in operands { collect(operand) }
    case .implies(let left, let right), .compare(_, let left, let right), .arithmetic(_, let left, let right):
      collect(left)
      collect(right)
    case .isWord(let operand, let word):
      collect(operand)
      note(word: word, of: operand)
    case .inList(let operand, let words):
      collect(operand)
      for word in words { note(word: word, of: operand) }
    case .inName(let operand, let name):
      if !isTime(operand) { collect(operand) }
      note(symbol(name.text).map { .symbol($0) } ?? .unknown(name.text), name.span)
    }
  }

  /// Returns true for the word `time`, as in `time in night`: here `time` is a keyword, not a fact.
  private func isTime(_ operand: SyntaxExpression) -> Bool {
    guard case .path(let name) = operand.kind else { return false }
    return name.text == "time" && symbol("time") == nil
  }
}
