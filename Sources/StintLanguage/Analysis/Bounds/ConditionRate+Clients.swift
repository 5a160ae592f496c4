import StintModel

/// Rates of per-demand conditions. The governor evaluates such a condition for each demand, with the facts of
/// the demand's client.
extension ConditionRate {
  /// The rates at which a condition changes its value for at least one demand.
  ///
  /// A fact that is equal for all demands changes for all demands at the same instant. Therefore the rates do
  /// not depend on the number of demands.
  struct TotalRate {
    var toTrue: RateBound
    var fromTrue: RateBound
    var toFalse: RateBound
    var fromFalse: RateBound

    static let never = TotalRate(toTrue: .never, fromTrue: .never, toFalse: .never, fromFalse: .never)

    /// Creates the rates of a condition that has the same value for all demands.
    ///
    /// Between two changes to true, there is one change from true. Therefore the numbers of changes to true
    /// and from true differ by at most one. The numbers of changes to false and from false also differ by at
    /// most one.
    init(inStep changeRate: ChangeRate) {
      toTrue = changeRate.toTrue
      toFalse = changeRate.toFalse
      fromTrue = toTrue.isNever ? .never : toTrue + .atMost(1)
      fromFalse = toFalse.isNever ? .never : toFalse + .atMost(1)
    }

    init(toTrue: RateBound, fromTrue: RateBound, toFalse: RateBound, fromFalse: RateBound) {
      self.toTrue = toTrue
      self.fromTrue = fromTrue
      self.toFalse = toFalse
      self.fromFalse = fromFalse
    }

    static func any(_ pace: RateBound) -> TotalRate {
      TotalRate(toTrue: pace, fromTrue: pace, toFalse: pace, fromFalse: pace)
    }

    static func + (left: TotalRate, right: TotalRate) -> TotalRate {
      TotalRate(
        toTrue: left.toTrue + right.toTrue, fromTrue: left.fromTrue + right.fromTrue,
        toFalse: left.toFalse + right.toFalse, fromFalse: left.fromFalse + right.fromFalse)
    }

    var negated: TotalRate {
      TotalRate(toTrue: toFalse, fromTrue: fromFalse, toFalse: toTrue, fromFalse: fromTrue)
    }
  }

  /// Returns the rates of a condition of a per-demand rule, for all demands together.
  func totalRate(_ condition: CheckedExpression) -> TotalRate {
    let kinds = Kinds(condition, facts)
    if !kinds.hasTime && !kinds.hasLatch && !kinds.hasClientFact {
      return TotalRate(inStep: changeRate(of: condition))
    }
    switch condition.kind {
    case .not(let operand): return totalRate(operand).negated
    case .and(let operands), .or(let operands):
      return operands.reduce(.never) { $0 + totalRate($1) }
    case .implies(let left, let right): return totalRate(left).negated + totalRate(right)
    case _ where kinds.hasTime:
      return .any(.unbounded("each demand is timed separately, and the number of demands has no limit"))
    // A latch (a comparison with a `release`) without client facts changes for all demands at the same
    // instant.
    case .latch where !kinds.hasClientFact: return TotalRate(inStep: .both(comparison(condition)))
    default: return kinds.hasSharedFact ? .any(kinds.events) : .never
    }
  }

  /// The kinds of parts that a condition contains.
  private struct Kinds {
    var hasTime = false
    var hasLatch = false
    var hasClientFact = false
    var hasSharedFact = false
    /// The rate of changes of the shared facts, which have the same value for all demands.
    var events = RateBound.never

    init(_ condition: CheckedExpression, _ facts: FactRate) {
      var seen: Set<String> = []
      condition.visit { part in
        switch part.kind {
        case .fact(let path), .known(let path):
          guard seen.insert(path).inserted else { return }
          if facts.isOfClient(path) {
            hasClientFact = true
          } else {
            hasSharedFact = true
            events = events + facts.changes(of: path).all
          }
        case .demanded(let device):
          hasSharedFact = true
          events = events + facts.demandChanges(of: device)
        case .latch: hasLatch = true
        case .heldFor, .inLast, .age, .window: hasTime = true
        default: break
        }
      }
    }
  }
}

extension FactRate {
  fileprivate func isOfClient(_ path: String) -> Bool {
    guard let number = vocabulary.fact(path), number >= vocabulary.firstComputed else { return false }
    return vocabulary.computed[number - vocabulary.firstComputed].isOfClient
  }
}
