import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension ConditionExplainer {
  /// Returns the obstacle of a comparison, for example `battery.level is 41 %, needs below 20 %`.
  func comparisonObstacle(
    _ left: CheckedExpression, _ comparison: Comparison, _ right: CheckedExpression
  ) -> Obstacle {
    if let unknown = unknown(in: [left, right]) { return unknown }
    // The operand that can change comes first.
    if case .constant = left.kind, !isConstant(right) {
      return comparisonObstacle(right, comparison.mirrored, left)
    }
    let present = text(situation.evaluate(left), of: left)
    var limit = text(situation.evaluate(right), of: left)
    if !isConstant(right) { limit = "\(words.text(right)), \(limit)" }
    return Obstacle(
      sentence: "\(words.text(left)) is \(present), needs \(need(comparison, limit, left.type))")
  }

  /// Returns a value of an operand as text. The value of a fact has the declared unit of the fact.
  func text(_ value: FactValue, of operand: CheckedExpression) -> String {
    guard case .fact(let path) = operand.kind, let schema = situation.vocabulary.schema(path) else {
      return words.text(value, operand.type)
    }
    return schema.text(of: value)
  }

  func isConstant(_ expression: CheckedExpression) -> Bool {
    if case .constant = expression.kind { return true }
    return false
  }

  /// Returns the values that satisfy a comparison with `limit`, for example `below 20 %`.
  func need(_ comparison: Comparison, _ limit: String, _ type: FactType) -> String {
    switch comparison {
    case .less: "below \(limit)"
    case .lessOrEqual: "at most \(limit)"
    case .greater: "above \(limit)"
    case .greaterOrEqual: "at least \(limit)"
    case .equal: limit
    case .notEqual: "anything but \(limit)"
    }
  }

  /// Returns the obstacle of a list of values, for example `motion.activity is still, needs walking
  /// or running`.
  func listObstacle(_ operand: CheckedExpression, _ values: [FactValue], _ wanted: Bool) -> Obstacle {
    if let unknown = unknown(in: [operand]) { return unknown }
    let present = words.text(situation.evaluate(operand), operand.type)
    let listed = Self.list(values.map { words.text($0, operand.type) })
    return Obstacle(
      sentence: "\(words.text(operand)) is \(present), needs \(wanted ? "" : "anything but ")\(listed)")
  }

  /// Joins words with commas and a conjunction before the last word.
  static func list(_ words: [String], _ conjunction: String = "or") -> String {
    guard words.count > 1, let last = words.last else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// Returns the obstacle of `known` or `unknown`, for example `location.gnss.accuracy is 12 m, needs to
  /// be unknown`.
  func knownObstacle(_ path: String, _ wanted: Bool) -> Obstacle {
    if wanted { return unknown(path) }
    let value = situation.vocabulary.schema(path)?.text(of: situation.value(path)) ?? "known"
    return Obstacle(sentence: "\(path) is \(value), needs to be unknown")
  }
}
