import StintModel
import StintUnits

/// Collects the needs of conditions, fact by fact.
struct NeedSurvey {
  let moment: NeedEvaluation
  /// The need for each fact of the image.
  private(set) var needs: [FactNeed]
  /// For each fact of the image: the masked parts of conditions that read it. A part is masked while its
  /// value has no effect on the result.
  private(set) var maskedParts: [[SensingNeeds.MaskedPart]]
  /// The index of the rule under examination.
  var rule = 0

  init(moment: NeedEvaluation) {
    self.moment = moment
    needs = Array(repeating: .nothing, count: moment.image.facts.count)
    maskedParts = Array(repeating: [], count: moment.image.facts.count)
  }

  /// Records the needs of a part whose value affects the result.
  mutating func need(_ term: NeedTerm) {
    switch term {
    case .constant, .demanded, .schedule: break
    case .fact(let fact): note(fact, .change)
    case .known(let fact): note(fact, needOfPresence(fact))
    case .age(let fact, _, _), .window(let fact, _), .valueCount(let fact, _): note(fact, .everything)
    case .not(let operand), .heldFor(_, let operand), .inLast(_, let operand): need(operand)
    case .and(let operands): need(operands, decisive: 0)
    case .or(let operands): need(operands, decisive: 1)
    case .compare(let comparison, .fact(let fact), .constant(let limit)):
      note(fact, needOutside(fact) { Self.quietRange($0, comparison, limit) })
    case .oneOf(.fact(let fact), let values):
      note(
        fact,
        needOutside(fact) { value in
          values.map { Self.quietRange(value, .equal, $0) }.reduce(Self.anything, Self.common)
        })
    case .latch(let slot, .fact(let fact), .constant(let threshold), .constant(let release)):
      note(fact, needOutside(fact) { quietRangeOfLatch(slot, $0, threshold, release) })
    case .compare, .arithmetic, .negate, .oneOf, .latch: for operand in term.operands { need(operand) }
    }
  }

  /// Records the needs of a part whose value has no effect because `guardian`, another operand, determines
  /// the result alone. The temporal operators in the part must still update their state.
  mutating func noteMasked(_ term: NeedTerm, because guardian: NeedTerm) {
    switch term {
    case .heldFor, .inLast, .latch, .window, .valueCount, .age: need(term)
    case .fact(let fact), .known(let fact):
      let guards = Set(guardian.facts.map { moment.image.facts[$0].number }).sorted()
      let part = SensingNeeds.MaskedPart(rule: rule, guards: guards)
      if maskedParts[fact].last != part { maskedParts[fact].append(part) }
    default: for operand in term.operands { noteMasked(operand, because: guardian) }
    }
  }

  /// Records the needs of the operands of `and` or `or`. When operands have the decisive value, only one of
  /// them is needed: the one that reads the fewest facts.
  private mutating func need(_ operands: [NeedTerm], decisive: Double) {
    let deciding = operands.indices.filter { moment.value(of: operands[$0]) == decisive }
    guard let guardian = deciding.min(by: { operands[$0].facts.count < operands[$1].facts.count }) else {
      for operand in operands { need(operand) }
      return
    }
    for place in operands.indices {
      if place == guardian {
        need(operands[place])
      } else {
        noteMasked(operands[place], because: operands[guardian])
      }
    }
  }

  private mutating func note(_ fact: Int, _ need: FactNeed) { needs[fact] = needs[fact].joined(need) }

  // MARK: Ranges

  private static let anything = -Double.infinity...Double.infinity

  private static func common(_ first: ClosedRange<Double>, _ second: ClosedRange<Double>) -> ClosedRange<
    Double
  > {
    let low = max(first.lowerBound, second.lowerBound)
    return low...max(low, min(first.upperBound, second.upperBound))
  }

  private func needOfPresence(_ fact: Int) -> FactNeed { needOutside(fact) { _ in Self.anything } }

  /// Returns the need for values outside the range that `range` returns for the known value of the fact.
  /// Every change is needed while the value is unknown.
  private func needOutside(_ fact: Int, _ range: (Double) -> ClosedRange<Double>) -> FactNeed {
    let value = moment.knownValue(fact)
    return value.isNaN ? .change : .outside(range(value))
  }

  /// Returns the range of values for which a comparison has the same result as for `value`.
  private static func quietRange(
    _ value: Double, _ comparison: Comparison, _ limit: Double
  ) -> ClosedRange<Double> {
    switch comparison {
    case .less, .greaterOrEqual:
      value < limit ? -.infinity...limit.nextDown : limit...(.infinity)
    case .lessOrEqual, .greater:
      value <= limit ? -.infinity...limit : limit.nextUp...(.infinity)
    case .equal, .notEqual:
      value == limit
        ? limit...limit : value < limit ? -.infinity...limit.nextDown : limit.nextUp...(.infinity)
    }
  }

  private func quietRangeOfLatch(
    _ slot: Int, _ value: Double, _ threshold: Double, _ release: Double
  ) -> ClosedRange<Double> {
    guard case .latch(let side) = moment.image.slots[slot].kind else { return value...value }
    switch (side, moment.isClosed(slot, value, threshold, release)) {
    case (.below, true): return -.infinity...max(value, release)
    case (.below, false): return min(value, threshold)...(.infinity)
    case (.above, true): return min(value, release)...(.infinity)
    case (.above, false): return -.infinity...max(value, threshold)
    }
  }
}
