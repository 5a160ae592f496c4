import StintModel
import StintUnits

extension RuleVM {
  /// Runs verified code and returns its result.
  ///
  /// The top of the stack is kept in a local variable; the rest of the stack is in memory.
  mutating func evaluate(_ code: Range<Int>) -> Double {
    var top = Double.nan
    var depth = 0
    for place in code {
      let instruction = image.code[place]
      switch instruction {
      case .not: top = 1 - top
      case .negate: top = -top
      case .and: top = Self.join(pop(&depth), top, decisive: 0)
      case .or: top = Self.join(pop(&depth), top, decisive: 1)
      case .compare(let comparison): top = Self.compare(pop(&depth), comparison, top)
      case .arithmetic(let operation): top = operation.apply(pop(&depth), top)
      case .oneOf(let first, let count): top = isOneOf(top, first, count)
      case .latch(let slot):
        let threshold = pop(&depth)
        top = latch(slot, value: pop(&depth), threshold: threshold, release: top)
      case .heldFor(let slot): top = heldFor(slot, top)
      case .inLast(let slot): top = inLast(slot, top)
      default:
        stack[depth] = top
        depth += 1
        top = read(instruction)
      }
    }
    return top
  }

  @inline(__always)
  private func pop(_ depth: inout Int) -> Double {
    depth -= 1
    return stack[depth]
  }

  /// Returns the value that an instruction without stack operands pushes.
  @inline(__always)
  private mutating func read(_ instruction: Instruction) -> Double {
    switch instruction {
    case .constant(let index): image.constants[index]
    case .fact(let index): facts[index].knownValue
    case .compareFact(let index, let comparison, let constant):
      Self.compare(facts[index].knownValue, comparison, image.constants[constant])
    case .known(let index): facts[index].knownValue.isNaN ? 0 : 1
    case .age(let index, let comparison, let span): age(index, comparison, image.spans[span])
    case .demanded(let index): isDemanded[index] ? 1 : 0
    case .schedule(let index): scheduled(index)
    case .window(let slot): window(slot)
    default: .nan
    }
  }

  /// Returns the result of Kleene's `and` or `or`. An operand with the decisive value determines the result;
  /// otherwise an unknown operand makes the result unknown.
  @inline(__always)
  private static func join(_ left: Double, _ right: Double, decisive: Double) -> Double {
    if left == decisive || right == decisive { return decisive }
    return left.isNaN || right.isNaN ? .nan : 1 - decisive
  }

  @inline(__always)
  private static func compare(_ left: Double, _ comparison: Comparison, _ right: Double) -> Double {
    if left.isNaN || right.isNaN { return .nan }
    return comparison.holds(left, right) ? 1 : 0
  }

  private func isOneOf(_ value: Double, _ first: Int, _ count: Int) -> Double {
    if value.isNaN { return .nan }
    for index in first..<(first + count) where image.constants[index] == value { return 1 }
    return 0
  }

  /// Schedules another evaluation of the present rule, at `instant` at the latest. Has no effect when
  /// `instant` is not in the future.
  private mutating func scheduleEvaluation(at instant: Instant) {
    if instant > now, instant < wake { wake = instant }
  }

  private mutating func age(_ fact: Int, _ comparison: Comparison, _ span: TimeSpan) -> Double {
    if facts[fact].value.isNaN { return .nan }
    let crossing = facts[fact].instant + span
    switch comparison {
    case .less, .greaterOrEqual: scheduleEvaluation(at: crossing)
    default: scheduleEvaluation(at: crossing + TimeSpan(nanoseconds: 1))
    }
    return comparison.holds(now - facts[fact].instant, span) ? 1 : 0
  }

  private mutating func scheduled(_ index: Int) -> Double {
    if schedules[index].changes <= now {
      schedules[index].isInside = image.schedules[index].contains(now, in: timeZone)
      schedules[index].changes = image.schedules[index].nextChange(after: now, in: timeZone)
    }
    scheduleEvaluation(at: schedules[index].changes)
    return schedules[index].isInside ? 1 : 0
  }

  private mutating func window(_ slot: Int) -> Double {
    guard case .window(let function, _, let span, _) = image.slots[slot].kind else { return .nan }
    slots[slot].window.forget(upTo: now - span)
    if let oldest = slots[slot].window.oldest { scheduleEvaluation(at: oldest + span) }
    let result = slots[slot].window.statistic(function, over: span)
    return result.isFinite ? result : .nan
  }

  private mutating func latch(_ slot: Int, value: Double, threshold: Double, release: Double) -> Double {
    guard case .latch(let side) = image.slots[slot].kind, !value.isNaN, !threshold.isNaN, !release.isNaN
    else {
      return .nan
    }
    let isPast = side == .below ? value < threshold : value > threshold
    let isReleased = side == .below ? value > release : value < release
    if isPast {
      slots[slot].isClosed = true
    } else if isReleased {
      slots[slot].isClosed = false
    }
    return slots[slot].isClosed ? 1 : 0
  }

  private mutating func heldFor(_ slot: Int, _ operand: Double) -> Double {
    guard case .heldFor(let span, let tolerate) = image.slots[slot].kind else { return .nan }
    if operand.isNaN {
      guard let tolerate, slots[slot].since != nil else {
        slots[slot].since = nil
        return .nan
      }
      let gap = slots[slot].gap ?? now
      guard now - gap <= tolerate else {
        slots[slot].since = nil
        slots[slot].gap = nil
        return .nan
      }
      slots[slot].gap = gap
      scheduleEvaluation(at: gap + tolerate + TimeSpan(nanoseconds: 1))
    } else {
      // A gap is the time in which the operand is unknown. It can end at the instant of its timer, one
      // nanosecond after the tolerated time. Then no evaluation saw that the gap was too long, so the time
      // before the gap is discarded here.
      if let gap = slots[slot].gap, let tolerate, now - gap > tolerate { slots[slot].since = nil }
      slots[slot].gap = nil
      if operand == 0 {
        slots[slot].since = nil
        return 0
      }
    }
    let since = slots[slot].since ?? now
    slots[slot].since = since
    if now - since >= span { return 1 }
    scheduleEvaluation(at: since + span)
    return 0
  }

  private mutating func inLast(_ slot: Int, _ operand: Double) -> Double {
    guard case .inLast(let span) = image.slots[slot].kind else { return .nan }
    let isTrue = operand == 1
    // The operand was true up to this instant, or is still true.
    if isTrue || slots[slot].isClosed { slots[slot].since = now }
    slots[slot].isClosed = isTrue
    if isTrue { return 1 }
    if let last = slots[slot].since, now - last < span {
      scheduleEvaluation(at: last + span)
      return 1
    }
    return operand.isNaN ? .nan : 0
  }
}
