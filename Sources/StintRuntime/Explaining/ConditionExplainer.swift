public import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// An explainer of conditions. It states in sentences with the current values why a condition is true or
/// not true.
public struct ConditionExplainer {
  let situation: Situation
  let words: ConditionText

  /// Creates an explainer for the conditions of one policy in one situation.
  public init(_ situation: Situation) {
    self.situation = situation
    words = ConditionText(situation.schedules)
  }

  /// Explains the current truth value of a condition.
  ///
  /// For a true condition, the sentence contains the change that would end it. For any other condition, the
  /// sentence contains the change that the condition still needs.
  public func explain(_ expression: CheckedExpression) -> Explanation {
    let truth = situation.truth(expression)
    let obstacle = obstacle(expression, to: truth != .yes)
    return Explanation(truth: truth, sentence: obstacle.sentence, changesAt: obstacle.passes)
  }

  /// The reason why a condition does not have the wanted truth value. `passes` is the time at which the
  /// reason ends if no fact changes.
  struct Obstacle {
    var sentence: String
    var passes: Instant?
    /// True when unknown values are the only reason.
    var isUnknown = false
  }

  /// Returns the reason why the condition does not have the truth value `wanted`.
  func obstacle(_ expression: CheckedExpression, to wanted: Bool) -> Obstacle {
    switch expression.kind {
    case .not(let operand): return obstacle(operand, to: !wanted)
    case .and(let operands): return join(operands.map { ($0, wanted) }, needsAll: wanted)
    case .or(let operands): return join(operands.map { ($0, wanted) }, needsAll: !wanted)
    case .implies(let left, let right): return join([(left, !wanted), (right, wanted)], needsAll: !wanted)
    case .compare(let comparison, let left, let right):
      return comparisonObstacle(left, wanted ? comparison : comparison.negated, right)
    case .latch(let side, let value, let threshold, let release):
      let sides: [LatchSide: Comparison] = [
        .below: wanted ? .less : .greater, .above: wanted ? .greater : .less,
      ]
      return comparisonObstacle(value, sides[side] ?? .less, wanted ? threshold : release)
    case .oneOf(let operand, let values): return listObstacle(operand, values, wanted)
    case .inSchedule(let index): return scheduleObstacle(index, wanted)
    case .heldFor(let operand, let span, _): return forObstacle(expression, operand, span, wanted)
    case .inLast(let operand, let span): return inLastObstacle(expression, operand, span, wanted)
    case .age(let path, let comparison, let span):
      return ageObstacle(path, wanted ? comparison : comparison.negated, span)
    case .known(let path): return knownObstacle(path, wanted)
    case .demanded(let device):
      return Obstacle(sentence: wanted ? "there is no demand on \(device)" : "\(device) is demanded")
    default: return plain(expression, wanted)
    }
  }

  /// Joins the obstacles of several operands to one sentence. The word is “and” when all obstacles must end,
  /// and “or” when the end of one obstacle is enough.
  private func join(_ parts: [(CheckedExpression, wanted: Bool)], needsAll: Bool) -> Obstacle {
    let open = parts.filter { situation.truth($0.0) != ($0.wanted ? .yes : .no) }
    let obstacles = open.map { obstacle($0.0, to: $0.wanted) }
    guard let first = obstacles.first else { return Obstacle(sentence: "there is no obstacle") }
    guard obstacles.count > 1 else { return first }
    var sentences: [String] = []
    for obstacle in obstacles where !sentences.contains(obstacle.sentence) {
      sentences.append(obstacle.sentence)
    }
    let times = obstacles.map(\.passes)
    let passes: Instant?
    if needsAll {
      passes = times.contains(nil) ? nil : times.compactMap { $0 }.max()
    } else {
      passes = times.compactMap { $0 }.min()
    }
    let joined = sentences.joined(separator: needsAll ? "; and " : "; or ")
    return Obstacle(sentence: joined, passes: passes, isUnknown: obstacles.allSatisfy(\.isUnknown))
  }

  /// Explains a Boolean fact or a constant.
  private func plain(_ expression: CheckedExpression, _ wanted: Bool) -> Obstacle {
    if let unknown = unknown(in: [expression]) { return unknown }
    if case .constant = expression.kind { return Obstacle(sentence: "it is always \(!wanted)") }
    return Obstacle(sentence: "\(words.text(expression)) is \(!wanted), needs \(wanted)")
  }

  /// Returns a sentence for the first expression with an unknown value. The sentence names an unknown fact,
  /// or the expression when it has too few values. Nil when the values of all expressions are known.
  func unknown(in expressions: [CheckedExpression]) -> Obstacle? {
    for expression in expressions where situation.evaluate(expression) == .unknown {
      for path in expression.facts where situation.value(path) == .unknown { return unknown(path) }
      let missing = "a device of the condition is missing"
      let reason =
        expression.isAlwaysUnknown ? missing : "\(words.text(expression)), too few values yet"
      let other = !expression.isAlwaysUnknown && expression.readsMissingDevice ? ", or \(missing)" : ""
      return Obstacle(sentence: "unknown: \(reason)\(other)", isUnknown: true)
    }
    return nil
  }

  func unknown(_ path: String) -> Obstacle {
    Obstacle(sentence: "unknown: \(path), \(history(of: path))", isUnknown: true)
  }

  /// Returns the reason why a fact is unknown. Either the last value is too old or was withdrawn, or no value
  /// was ever published.
  private func history(of path: String) -> String {
    func ago(_ instant: Instant) -> String {
      "at \(time(instant)), \((situation.now - instant).readable) ago"
    }
    if let published = situation.published(path) { return "last published \(ago(published))" }
    guard let end = situation.end(path) else { return "never published" }
    return isComputed(path) ? "its value expired \(ago(end))" : "its value was withdrawn \(ago(end))"
  }

  /// True for a fact that the governor computes, and that becomes unknown when its source values are too old.
  private func isComputed(_ path: String) -> Bool {
    let vocabulary = situation.vocabulary
    guard let number = vocabulary.fact(path), number >= vocabulary.firstComputed else { return false }
    return switch vocabulary.computed[number - vocabulary.firstComputed].source {
    case .zone, .respite: true
    default: false
    }
  }

  /// Formats an instant in local time.
  func time(_ instant: Instant) -> String { LocalMoment(instant, situation.timeZone).description }
}
