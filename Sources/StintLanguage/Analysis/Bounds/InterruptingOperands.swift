import StintModel
import StintUnits

/// Computes how often those operands of a condition change that can interrupt the reading of some facts.
///
/// The governor stops reading an operand while another operand decides the `and` or `or` of both, unless the
/// other operand costs more power. So an operand whose parts all cost more than the reading never interrupts
/// the reading.
struct InterruptingOperands {
  /// The facts that are read.
  let own: Set<String>
  let conditions: ConditionRate
  let vocabulary: Vocabulary

  func rate(_ part: CheckedExpression) -> RateBound {
    switch part.kind {
    case .not(let operand): rate(operand)
    case .and(let operands), .or(let operands): rate(operands)
    case .implies(let left, let right): rate([left, right])
    default: leaf(part)
    }
  }

  private func rate(_ operands: [CheckedExpression]) -> RateBound {
    let reading = operands.filter(reads)
    guard let limit = reading.map(price).max() else { return .sum(operands.map(rate)) }
    return .sum(operands.filter { reads($0) || lowestPrice(of: $0) <= limit }.map(rate))
  }

  private func reads(_ part: CheckedExpression) -> Bool { !own.isDisjoint(with: part.facts) }

  /// Returns the power that is needed to read the facts of a part, in nanowatts.
  private func price(of part: CheckedExpression) -> Int64 {
    part.readFacts.reduce(0) { $0.addingSaturated(price(ofFact: $1)) }
  }

  private func price(ofFact path: String) -> Int64 {
    vocabulary.fact(path).map { vocabulary.readingPrice(ofFact: $0) } ?? 0
  }

  /// Returns the lowest price of a part of a condition. The parts count individually, because the governor
  /// regards nested operands of the same kind as operands of one `and` or `or`.
  ///
  /// A zone counts as free: the governor pays for zones only if a rule does more than to observe them.
  private func lowestPrice(of part: CheckedExpression) -> Int64 {
    switch part.kind {
    case .not(let operand), .heldFor(let operand, _, _), .inLast(let operand, _): lowestPrice(of: operand)
    case .and(let operands), .or(let operands): operands.map(lowestPrice).min() ?? 0
    case .implies(let left, let right): min(lowestPrice(of: left), lowestPrice(of: right))
    default: part.readFacts.contains(where: vocabulary.isCircle) ? 0 : price(of: part)
    }
  }

  private func leaf(_ part: CheckedExpression) -> RateBound {
    guard !reads(part) else {
      switch part.kind {
      case .heldFor(let operand, _, _), .inLast(let operand, _): return rate(operand)
      default: return .never
      }
    }
    // A computed fact, or a fact with a maximum age, can become unknown. `changeRate` ignores changes to
    // unknown, so all changes of such a fact are added.
    let ages = part.facts.filter { path in
      vocabulary.schema(path)?.maxAge != nil || vocabulary.fact(path) ?? 0 >= vocabulary.firstComputed
    }
    let changeRate = conditions.changeRate(of: part)
    let changes =
      changeRate.toTrue + changeRate.toFalse + .sum(ages.map { conditions.facts.changes(of: $0).all })
    // A need begins when the part leaves the value with which it alone determines the condition. Before the
    // next need begins, the part must return to this value. So at most every second change of the part's
    // facts begins a need.
    return .min(changes, conditions.byFacts(part))
  }
}

extension Vocabulary {
  /// Returns whether a path is a fact about a circular zone.
  fileprivate func isCircle(_ path: String) -> Bool {
    guard case .zone(let zone, _)? = computedFact(path)?.source, case .circle = zone.shape else {
      return false
    }
    return true
  }
}
