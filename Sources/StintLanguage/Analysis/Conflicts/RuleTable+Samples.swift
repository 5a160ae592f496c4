import StintModel

extension RuleTable {
  /// `keep` adds a sample only while the rule has fewer samples than this number.
  static let maxSamples = 8

  /// Returns the facts of the witness as a sample; empty without a witness. If there is a variant of the
  /// sample with values close to the limits in the rule's condition, the variant comes first.
  ///
  /// `isLast` is true for the witness of a reversed search, which tries the ranges of each fact from the last
  /// to the first.
  func samples(of rule: Int, _ witness: Witness?, isLast: Bool) -> [Sample] {
    guard let witness else { return [] }
    // The time for a witness without a time: Sunday 03:00 for a reversed search, otherwise Wednesday 12:00.
    let time = isLast ? 6 * WeekTime.day + WeekTime.day / 8 : 2 * WeekTime.day + WeekTime.day / 2
    let sample = Sample(witness, or: time, solver.solverContext)
    guard let condition = conditions[rule] else { return [sample] }
    let limits = Survey([inForce(rule)], schedules: solver.solverContext.schedules).limits
    if let close = sample.close(to: limits, fromBelow: isLast, for: condition) { return [close, sample] }
    // A condition with `for`, `in last` or `release` may be false for the facts of the witness, because its
    // value depends on the past. Facts that satisfy the condition without these parts may make the condition
    // true.
    var withoutTime = inForce(rule)
    withoutTime.condition = condition.withoutTime
    guard let witness = solver.solveOnce([withoutTime], isReversed: isLast).witness,
      let close = Sample(witness, or: time, solver.solverContext).close(
        to: limits, fromBelow: isLast, for: condition)
    else { return [sample] }
    return [close, sample]
  }

  /// Returns true when `other` is in force in a stored sample and `rule` is not. If `device` is not nil,
  /// samples in which the device is not demanded are skipped.
  mutating func show(_ rule: Int, notWhenever other: Int, demanding device: DeviceID? = nil) -> Bool {
    if points.rule != other { points = (other, samples[other].map { boxes.point(of: $0) }) }
    for number in points.points.indices {
      if let device, samples[other][number].demanded[device] == false { continue }
      guard boxes.allow(rule, points.points[number]),
        boxes.allowRest(rule, { samples[other][number].demanding(device) })
      else { return true }
    }
    return false
  }

  /// Adds samples of a rule from a reversed search. A second call for the same rule does nothing.
  mutating func widen(_ rule: Int) {
    guard !isWide[rule] else { return }
    isWide[rule] = true
    guard !samples[rule].isEmpty else { return }
    let last = solver.solveOnce([inForce(rule)], isReversed: true).witness ?? onceAnswers[rule].witness
    samples[rule] += samples(of: rule, last, isLast: true)
    points.rule = -1
  }

  /// Adds the witness to the samples of a rule, for later comparisons with other rules.
  ///
  /// Does nothing when an equal sample exists, or when the rule has `maxSamples` samples or more.
  mutating func keep(_ witness: Witness, of rule: Int) {
    let sample = Sample(witness, or: 0, solver.solverContext)
    guard samples[rule].count < Self.maxSamples, !samples[rule].contains(where: sample.isLike) else {
      return
    }
    samples[rule].append(sample)
    points.rule = -1
  }

  /// Returns true when the rule's condition cannot be true while all facts are unknown.
  func needsFacts(_ rule: Int) -> Bool {
    let nothing = Sample(Witness(readings: []), or: 0, solver.solverContext)
    return !boxes.allow(rule, boxes.point(of: nothing)) || !boxes.allowRest(rule) { nothing }
  }
}

extension CheckedExpression {
  /// The condition without `for` and `in last`, with each latch replaced by the comparison with its
  /// threshold.
  fileprivate var withoutTime: CheckedExpression {
    switch kind {
    case .heldFor(let operand, _, _), .inLast(let operand, _): return operand.withoutTime
    case .latch(let side, let value, let threshold, _):
      var copy = self
      copy.kind = .compare(side == .below ? .less : .greater, value, threshold)
      return copy
    case .not, .and, .or, .implies: return map(\.withoutTime)
    default: return self
    }
  }
}
