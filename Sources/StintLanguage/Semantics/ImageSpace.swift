import StintModel

/// Counts the table entries that policies need in an image, before the compilation of the policies.
///
/// An entry is counted wherever the compiler creates an entry, so the verifier never finds more entries than
/// this count.
struct ImageSpace {
  /// A table whose size depends on the policies, with its name in messages.
  private enum Table: String, CaseIterable {
    case instructions = "instructions"
    case listEntries = "words in lists"
    case windowValues = "values in windows"
    case schedules = "schedules"
    case directives = "directives"
    case acts = "acts"
    case overrides = "pairs of rules"

    var most: Int { self == .windowValues ? PolicyLimits.maxTotalWindowValues : PolicyLimits.maxTableEntries }
  }

  private let vocabulary: Vocabulary
  private var counts: [Table: Int] = [:]

  /// Creates a counter.
  ///
  /// - Parameter vocabulary: the facts that the policies read, computed facts included.
  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Counts schedules. Returns a description of the table that is over its limit; nil when the schedules fit.
  mutating func add(schedules: Int) -> String? {
    count(.schedules, schedules)
    return excess
  }

  /// Counts a rule. Returns a description of the first table that is over its limit; nil when the rule fits.
  mutating func add(_ rule: CheckedRule) -> String? {
    if let condition = rule.trigger.condition { add(condition) }
    // Each directive of a statement gets a copy of the statement's `until`.
    for until in rule.directives.compactMap(\.until) where excess == nil { add(until) }
    count(.directives, rule.directives.count)
    count(.acts, rule.acts.count)
    count(.overrides, rule.overrides.count)
    return excess
  }

  /// Counts the rule that watches a requirement. Returns a description of the first table that is over its
  /// limit; nil when the rule fits.
  mutating func add(_ requirement: CheckedRequirement) -> String? {
    add(requirement.condition)
    count(.instructions, 1)
    count(.acts, 1)
    return excess
  }

  private var excess: String? {
    Table.allCases.first { counts[$0, default: 0] > $0.most }.map { "more than \($0.most) \($0.rawValue)" }
  }

  private mutating func count(_ table: Table, _ entries: Int) { counts[table, default: 0] += entries }

  private mutating func add(_ expression: CheckedExpression) {
    switch expression.kind {
    case .constant(.unknown): count(.instructions, 3)
    case .implies: count(.instructions, 2)
    case .and(let operands), .or(let operands): count(.instructions, operands.count - 1)
    case .oneOf(_, let values):
      count(.instructions, 1)
      count(.listEntries, values.count)
    case .window(_, let path, let span):
      count(.instructions, 1)
      count(.windowValues, vocabulary.schema(path)?.windowCapacity(over: span) ?? 0)
    default: count(.instructions, 1)
    }
    for child in expression.children { add(child) }
  }
}

extension PolicyLinker {
  /// Reports the first part with which the policies together no longer fit into an image. A part is a rule, a
  /// requirement, or all schedules of one policy.
  static func checkRoom(_ checkers: inout [PolicyChecker]) {
    guard let first = checkers.first else { return }
    var space = ImageSpace(first.vocabulary.computing(checkers.flatMap(\.policy.computed)))
    for index in checkers.indices {
      let policy = checkers[index].policy
      let start = checkers[index].file.name?.span ?? SourceSpan(start: 0, end: 0)
      var excess = space.add(schedules: policy.schedules.count).map { ($0, start) }
      for rule in policy.rules where excess == nil { excess = space.add(rule).map { ($0, rule.span) } }
      for requirement in policy.requirements where excess == nil {
        excess = space.add(requirement).map { ($0, requirement.span) }
      }
      guard let (words, span) = excess else { continue }
      checkers[index].report(
        .doesNotFit, "policies that are loaded together need \(words)", span,
        hint: "use fewer lets inside lets, and shorter windows")
      return
    }
  }
}
