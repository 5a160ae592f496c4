import StintModel
import StintUnits

extension Machine {
  /// Runs a straight line of verified code and returns its one result.
  mutating func evaluate(_ code: Range<Int>) -> Double {
    var top = 0
    for place in code {
      let instruction = image.code[place]
      switch instruction {
      case .constant(let index): push(image.constants[index], &top)
      case .fact(let index): push(believed[index], &top)
      case .known(let index): push(believed[index].isNaN ? 0 : 1, &top)
      case .age(let index, let comparison, let span): push(age(index, comparison, image.spans[span]), &top)
      case .demanded(let index): push(isDemanded[index] ? 1 : 0, &top)
      case .schedule(let index): push(scheduled(index), &top)
      case .window(let slot): push(window(slot), &top)
      case .not: stack[top - 1] = stack[top - 1].isNaN ? .nan : 1 - stack[top - 1]
      case .negate: stack[top - 1] = -stack[top - 1]
      case .and: join(&top, decisive: 0)
      case .or: join(&top, decisive: 1)
      case .compare(let comparison):
        top -= 1
        stack[top - 1] = Self.compare(stack[top - 1], comparison, stack[top])
      case .arithmetic(let operation):
        top -= 1
        stack[top - 1] = Self.calculate(stack[top - 1], operation, stack[top])
      case .oneOf(let first, let count): stack[top - 1] = isOneOf(stack[top - 1], first, count)
      case .latch(let slot):
        top -= 2
        stack[top - 1] = latch(slot, value: stack[top - 1], threshold: stack[top], release: stack[top + 1])
      case .heldFor(let slot): stack[top - 1] = heldFor(slot, stack[top - 1])
      case .inLast(let slot): stack[top - 1] = inLast(slot, stack[top - 1])
      }
    }
    return stack[0]
  }

  private mutating func push(_ value: Double, _ top: inout Int) {
    stack[top] = value
    top += 1
  }

  /// Kleene's `and` and `or`: one decisive operand settles it, an unknown one leaves it open.
  private mutating func join(_ top: inout Int, decisive: Double) {
    top -= 1
    let left = stack[top - 1]
    let right = stack[top]
    if left == decisive || right == decisive {
      stack[top - 1] = decisive
    } else {
      stack[top - 1] = left.isNaN || right.isNaN ? .nan : 1 - decisive
    }
  }

  private static func compare(_ left: Double, _ comparison: Comparison, _ right: Double) -> Double {
    if left.isNaN || right.isNaN { return .nan }
    return holds(left, comparison, right) ? 1 : 0
  }

  @inline(__always)
  private static func holds<Value: Comparable>(
    _ left: Value, _ comparison: Comparison, _ right: Value
  ) -> Bool {
    switch comparison {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .equal: left == right
    case .notEqual: left != right
    }
  }

  private static func calculate(_ left: Double, _ operation: Arithmetic, _ right: Double) -> Double {
    let result =
      switch operation {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    return result.isFinite ? result : .nan
  }

  private func isOneOf(_ value: Double, _ first: Int, _ count: Int) -> Double {
    if value.isNaN { return .nan }
    for index in first..<(first + count) where image.constants[index] == value { return 1 }
    return 0
  }

  /// Has the rule that runs looked at again at `instant`.
  private mutating func callBack(at instant: Instant) {
    if instant > now, instant < wake { wake = instant }
  }

  private mutating func age(_ fact: Int, _ comparison: Comparison, _ span: TimeSpan) -> Double {
    if values[fact].isNaN { return .nan }
    let crossing = instants[fact] + span
    switch comparison {
    case .less, .greaterOrEqual: callBack(at: crossing)
    default: callBack(at: crossing + TimeSpan(nanoseconds: 1))
    }
    return Self.holds(now - instants[fact], comparison, span) ? 1 : 0
  }

  private mutating func scheduled(_ index: Int) -> Double {
    if schedules[index].changes <= now {
      schedules[index].isInside = image.schedules[index].contains(now, utcOffset: utcOffset)
      schedules[index].changes = image.schedules[index].nextChange(after: now, utcOffset: utcOffset)
    }
    callBack(at: schedules[index].changes)
    return schedules[index].isInside ? 1 : 0
  }

  private mutating func window(_ slot: Int) -> Double {
    guard case .window(let function, _, let span, _) = image.slots[slot].kind else { return .nan }
    slots[slot].window.forget(upTo: now - span)
    if let oldest = slots[slot].window.oldest { callBack(at: oldest + span) }
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
      callBack(at: gap + tolerate + TimeSpan(nanoseconds: 1))
    } else {
      slots[slot].gap = nil
      if operand == 0 {
        slots[slot].since = nil
        return 0
      }
    }
    let since = slots[slot].since ?? now
    slots[slot].since = since
    if now - since >= span { return 1 }
    callBack(at: since + span)
    return 0
  }

  private mutating func inLast(_ slot: Int, _ operand: Double) -> Double {
    guard case .inLast(let span) = image.slots[slot].kind else { return .nan }
    let isTrue = operand == 1
    // It was true until this moment, or is still.
    if isTrue || slots[slot].isClosed { slots[slot].since = now }
    slots[slot].isClosed = isTrue
    if isTrue { return 1 }
    if let last = slots[slot].since, now - last < span {
      callBack(at: last + span)
      return 1
    }
    return operand.isNaN ? .nan : 0
  }
}
