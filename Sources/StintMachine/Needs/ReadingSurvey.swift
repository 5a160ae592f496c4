import StintModel
import StintUnits

/// Finds the facts that a rule must read now: facts whose next value can change the result of its condition.
///
/// The survey differs from `NeedSurvey`, which guarantees the same decisions as a rule VM that receives every
/// value. A reading costs energy, so the facts of temporal operators (`for`, `in last`, windows, comparisons
/// with `release`) are read only while no other operand determines the result. At other times, these
/// operators may receive no values. `known`, `age`, `count` and `rate` observe a fact and never cause a
/// reading.
struct ReadingSurvey {
  let moment: NeedEvaluation
  /// For each fact of the image: the power that is needed to keep the fact known, in nanowatts. The value is
  /// 0 for a fact that costs nothing.
  let prices: [Int64]
  /// True when the survey also records the parts that are not read.
  let recordsMasked: Bool
  /// The facts to read, by their indexes in the image.
  private(set) var facts: Set<Int> = []
  /// The facts of parts that are not read, each with the facts of the operand that determines the result.
  /// Facts are indexes into the image. A key can also be in `facts`, when another part reads it.
  private(set) var masked: [Int: Set<Int>] = [:]

  init(moment: NeedEvaluation, prices: [Int64], recordsMasked: Bool = false) {
    self.moment = moment
    self.prices = prices
    self.recordsMasked = recordsMasked
  }

  /// Adds the facts that a whole condition needs, or a part of it that can only make the condition true.
  ///
  /// A rule whose condition is unknown is not in force. So an unknown operand of an `and` has the effect of a
  /// false operand: the facts of the other operands are not read. This applies only when reading the facts of
  /// the unknown operand costs no power, for example because their device is missing.
  mutating func add(condition: NeedTerm) {
    switch condition {
    case .and(let operands):
      guard !operands.contains(where: { isFalseForFree($0) }),
        let guardian = operands.firstIndex(where: { isUnknownForFree($0) })
      else {
        add(operands, decisive: 0, isPositive: true)
        return
      }
      add(operands[guardian])
      for place in operands.indices where place != guardian {
        close(operands[place], because: operands[guardian])
      }
    case .or(let operands): add(operands, decisive: 1, isPositive: true)
    case .inLast(_, let operand): add(condition: operand)
    case .heldFor(let slot, let operand) where !moment.toleratesGaps(slot): add(condition: operand)
    default: add(condition)
    }
  }

  private func isFalseForFree(_ term: NeedTerm) -> Bool {
    moment.value(of: term) == 0 && price(of: term) == 0
  }

  private func isUnknownForFree(_ term: NeedTerm) -> Bool {
    moment.value(of: term)?.isNaN == true && !term.facts.isEmpty && price(of: term) == 0
  }

  /// Adds the facts that a part needs.
  ///
  /// - Precondition: the value of the part affects the result of the condition.
  mutating func add(_ term: NeedTerm) {
    switch term {
    case .constant, .demanded, .schedule, .known, .age, .valueCount: break
    case .fact(let fact), .window(let fact, _): facts.insert(fact)
    case .and(let operands): add(operands, decisive: 0)
    case .or(let operands): add(operands, decisive: 1)
    default: for operand in term.operands { add(operand) }
    }
  }

  /// Adds the facts of the operands. When one or more operands each determine the result alone, adds only the
  /// facts of the cheapest of these operands, and of all operands that cost even less. The latter can
  /// determine the result later, so that the more expensive operand is no longer read.
  private mutating func add(_ operands: [NeedTerm], decisive: Double, isPositive: Bool = false) {
    let deciding = operands.indices.filter { moment.value(of: operands[$0]) == decisive }
    let guardian = deciding.min { price(of: operands[$0]) < price(of: operands[$1]) }
    let limit = guardian.map { price(of: operands[$0]) }
    for place in operands.indices {
      if let guardian, let limit, place != guardian, price(of: operands[place]) >= limit {
        close(operands[place], because: operands[guardian])
      } else if isPositive {
        add(condition: operands[place])
      } else {
        add(operands[place])
      }
    }
  }

  /// Records that a part is not read because `guardian` determines the result alone.
  mutating func close(_ term: NeedTerm, because guardian: NeedTerm) {
    guard recordsMasked else { return }
    for fact in term.readFacts where masked[fact] == nil { masked[fact] = Set(guardian.facts) }
  }

  /// Returns the power, in nanowatts, that is necessary to read the facts of a part.
  private func price(of term: NeedTerm) -> Int64 {
    term.readFacts.reduce(0) { $0.addingSaturated(prices[$1]) }
  }
}

extension NeedTerm {
  /// The facts whose values the part uses; facts that it only observes are left out.
  var readFacts: Set<Int> {
    switch self {
    case .known, .age, .valueCount: []
    case .fact(let fact), .window(let fact, _): [fact]
    default: operands.reduce(into: []) { $0.formUnion($1.readFacts) }
    }
  }

  /// The facts that the part tests with `known` or `age`, or whose values it only counts.
  var observedFacts: Set<Int> {
    switch self {
    case .known(let fact), .age(let fact, _, _), .valueCount(let fact, _): [fact]
    default: operands.reduce(into: []) { $0.formUnion($1.observedFacts) }
    }
  }

  /// The devices, by their indexes in the image, that the part tests with `demanded`.
  var demandedDevices: Set<Int> {
    if case .demanded(let device) = self { return [device] }
    return operands.reduce(into: []) { $0.formUnion($1.demandedDevices) }
  }

  /// Calls `body` with each fact whose value the part uses. The span is the shortest of the `for`, `in last`
  /// and window operators that contain the fact; nil when no such operator contains it.
  func forEachRead(in image: Image, within span: TimeSpan? = nil, _ body: (Int, TimeSpan?) -> Void) {
    switch self {
    case .known, .age, .valueCount: break
    case .fact(let fact): body(fact, span)
    case .window(let fact, let slot):
      let window = image.slots[slot].kind.span.map(Manifest.readingSpan(ofWindow:))
      body(fact, Self.shorter(span, window))
    case .heldFor(let slot, let operand), .inLast(let slot, let operand):
      operand.forEachRead(in: image, within: Self.shorter(span, image.slots[slot].kind.span), body)
    default: for operand in operands { operand.forEachRead(in: image, within: span, body) }
    }
  }

  private static func shorter(_ first: TimeSpan?, _ second: TimeSpan?) -> TimeSpan? {
    [first, second].compactMap(\.self).min()
  }
}

extension ImageSlot.Kind {
  /// The time span of the operator; nil for a latch (a comparison with a `release`).
  fileprivate var span: TimeSpan? {
    switch self {
    case .heldFor(let span, _), .inLast(let span), .window(_, _, let span, _): span
    case .latch: nil
    }
  }
}
