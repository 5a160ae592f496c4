import StintModel

/// Conditions that many machines look at, one for each demand, with facts of clients of their own.
extension ConditionRate {
  /// How often at least one of the machines sees a condition come to be true or false, or cease to be.
  ///
  /// What they all read moves them at the same instants, so their number does not count.
  struct TotalRate {
    var toTrue: Pace
    var fromTrue: Pace
    var toFalse: Pace
    var fromFalse: Pace

    static let never = TotalRate(toTrue: .never, fromTrue: .never, toFalse: .never, fromFalse: .never)

    /// All machines see the same facts, so between two turns in one direction there is one back.
    init(inStep turns: ChangeRate) {
      toTrue = turns.toTrue
      toFalse = turns.toFalse
      fromTrue = toTrue.isNever ? .never : toTrue + .atMost(1)
      fromFalse = toFalse.isNever ? .never : toFalse + .atMost(1)
    }

    init(toTrue: Pace, fromTrue: Pace, toFalse: Pace, fromFalse: Pace) {
      self.toTrue = toTrue
      self.fromTrue = fromTrue
      self.toFalse = toFalse
      self.fromFalse = fromFalse
    }

    static func any(_ pace: Pace) -> TotalRate {
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

  func turnsOfMany(_ condition: CheckedExpression) -> TotalRate {
    let kinds = Kinds(condition, facts)
    if !kinds.hasTime && !kinds.hasLatch && !kinds.ofClient { return TotalRate(inStep: turns(of: condition)) }
    switch condition.kind {
    case .not(let operand): return turnsOfMany(operand).negated
    case .and(let operands), .or(let operands):
      return operands.reduce(.never) { $0 + turnsOfMany($1) }
    case .implies(let left, let right): return turnsOfMany(left).negated + turnsOfMany(right)
    case _ where kinds.hasTime:
      return .any(.unbounded("each demand has a time of its own, and nothing says how many there are"))
    // A latch that one machine closes is closed in all that look at it, and so is one that opens.
    case .latch where !kinds.ofClient: return TotalRate(inStep: .both(comparison(condition)))
    default: return kinds.ofOthers ? .any(kinds.events) : .never
    }
  }

  /// What a condition is made of.
  private struct Kinds {
    var hasTime = false
    var hasLatch = false
    var ofClient = false
    var ofOthers = false
    /// How often a fact changes that all machines read.
    var events = Pace.never

    init(_ condition: CheckedExpression, _ facts: FactRate) {
      var seen: Set<String> = []
      condition.visit { part in
        switch part.kind {
        case .fact(let path), .known(let path):
          guard seen.insert(path).inserted else { return }
          if facts.isOfClient(path) {
            ofClient = true
          } else {
            ofOthers = true
            events = events + facts.changes(of: path).all
          }
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
