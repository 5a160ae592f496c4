import StintModel
import StintUnits

/// Lists the constructs of a policy by name, so that they can be counted.
extension PlanPolicy {
  var words: [String] {
    var words: [String] = []
    if !lets.isEmpty { words.append("let") }
    if !parameters.isEmpty { words.append("param") }
    if !schedules.isEmpty { words.append("schedule") }
    if !zones.isEmpty { words.append("zone") }
    if !defaults.isEmpty { words.append("default") }
    if defaults.contains(where: { $0.maxAge != nil }) { words.append("max_age") }
    if !machines.isEmpty { words.append("machine") }
    if !budgets.isEmpty { words.append("budget") }
    if !requirements.isEmpty { words.append("require") }
    words += allRules.flatMap { Self.words(of: $0, in: name) }
    let directives = allRules.flatMap(\.directives) + machines.flatMap { $0.flatMap(\.directives) }
    words += (directives + budgets.flatMap { $0.steps.flatMap(\.directives) }).flatMap(Self.words)
    let transitions = machines.flatMap { $0.flatMap { $0.transitions.map(\.condition) } }
    return words + (lets + requirements + transitions).flatMap(\.words)
  }

  private var allRules: [Rule] {
    items.flatMap { item -> [Rule] in
      if case .rule(let rule) = item { [rule] } else { [] }
    } + machines.flatMap { $0.flatMap(\.rules) }
  }

  private static func words(of rule: Rule, in policy: String) -> [String] {
    var words = rule.over.map { $0.hasPrefix(policy + "/") ? "over" : "over another policy's rule" }
    switch rule.trigger {
    case .always: words.append("always")
    case .whilst(let condition): words += ["while"] + condition.words
    case .when(let condition, let span):
      words += [span == nil ? "when" : "when at most"] + condition.words
    case .every(_, let flex, let condition):
      words += [flex == nil ? "every" : "every flex"] + (condition?.words ?? [])
    }
    for act in rule.acts {
      switch act {
      case .emit: words.append("emit")
      case .tell: words.append("tell")
      case .launch: words.append("launch")
      case .fix: words.append("fix")
      }
    }
    return words
  }

  private static func words(of directive: Directive) -> [String] {
    var words: [String] = []
    if directive.ending?.doublingTo != nil { words.append("doubling") }
    if directive.ending?.atMost != nil { words.append("at most N times") }
    switch directive.action {
    case .start: words.append("start")
    case .stop(let clients): words.append(clients.isEmpty ? "stop" : "stop except")
    case .pause: words.append("pause")
    case .limitAccuracy: words.append("downgrade to an accuracy")
    case .slow: words.append("downgrade to a rate")
    case .batch: words.append("batch")
    case .deferred(let condition, _): words += ["defer until"] + condition.words
    }
    return words
  }
}

extension PlanCondition {
  var words: [String] {
    switch self {
    case .flag: ["a Boolean fact"]
    case .words: ["is, in [ ]"]
    case .known: ["known"]
    case .age: ["age"]
    case .demanded: ["demanded"]
    case .isOn: ["device.on"]
    case .available: ["available"]
    case .schedule: ["time in"]
    case .zone(let question, _): [question.rawValue]
    case .compare(let left, _, let right): ["comparison"] + left.words + right.words
    case .between(let amount, _, _): ["between"] + amount.words
    case .smooth(let function, _, _, _, _): [function.rawValue]
    case .latch(let side, let amount, _, _): ["\(side.rawValue) release"] + amount.words
    case .level: ["comparison"]
    case .levelLatch(let side, _, _): ["\(side.rawValue) release"]
    case .count: ["count"]
    case .rate: ["rate"]
    case .share: ["share of a budget"]
    case .wakeups: ["wakeups"]
    case .energy: ["energy"]
    case .explained: ["unexplained"]
    case .states: ["machine is, in"]
    case .named: ["a let by name"]
    case .not(let operand): ["not"] + operand.words
    case .and(let operands): ["and"] + operands.flatMap(\.words)
    case .or(let operands): ["or"] + operands.flatMap(\.words)
    case .implies(let left, let right): ["implies"] + left.words + right.words
    case .heldFor(let operand, _, let tolerate): [tolerate == nil ? "for" : "tolerate"] + operand.words
    case .inLast(let operand, _): ["in last"] + operand.words
    }
  }
}

extension PlanAmount {
  var words: [String] {
    switch self {
    case .metres, .fact: []
    case .parameter: ["a param by name"]
    case .window(let function, _, _): [function.rawValue]
    case .negated(let operand), .scaled(let operand, _), .halved(let operand): ["arithmetic"] + operand.words
    case .clamped(let operand, _, _): ["clamp"] + operand.words
    case .sum(let left, let right), .difference(let left, let right):
      ["arithmetic"] + left.words + right.words
    }
  }
}
