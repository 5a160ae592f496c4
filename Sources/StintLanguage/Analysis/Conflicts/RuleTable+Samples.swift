import StintModel

extension RuleTable {
  /// The largest number of samples that are kept for one rule.
  static let mostSamples = 8

  /// Returns the witness's facts as a sample, preceded by a variant with values close to the rule's limits
  /// where one exists.
  ///
  /// `isLast` tells which witness it is: that of the forward or that of the reversed search.
  func samples(of rule: Int, _ witness: Witness?, isLast: Bool) -> [Sample] {
    guard let witness else { return [] }
    // Where the rule does not depend on the time: a weekday at noon, or a night of the weekend.
    let time = isLast ? 6 * WeekTime.day + WeekTime.day / 8 : 2 * WeekTime.day + WeekTime.day / 2
    let sample = Sample(witness, or: time, solver.ground)
    guard let condition = conditions[rule] else { return [sample] }
    let limits = Survey([inForce(rule)], schedules: solver.ground.schedules).limits
    if let close = sample.close(to: limits, fromBelow: isLast, for: condition) { return [close, sample] }
    // The witness may only make a condition with memory possible. Facts that make the condition without time
    // true may succeed instead.
    var withoutTime = inForce(rule)
    withoutTime.condition = condition.withoutTime
    guard let witness = solver.solveOnce([withoutTime], isReversed: isLast).witness,
      let close = Sample(witness, or: time, solver.ground).close(
        to: limits, fromBelow: isLast, for: condition)
    else { return [sample] }
    return [close, sample]
  }

  /// Returns true when a known sample has `other` in force and `rule` not. With a `device`, the sample must
  /// not lack a demand on it.
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

  /// Adds samples of a rule from a reversed search, once for each rule.
  mutating func widen(_ rule: Int) {
    guard !isWide[rule] else { return }
    isWide[rule] = true
    guard !samples[rule].isEmpty else { return }
    let last = solver.solveOnce([inForce(rule)], isReversed: true).witness ?? looks[rule].witness
    samples[rule] += samples(of: rule, last, isLast: true)
    points.rule = -1
  }

  /// Adds the facts of a witness to the samples of a rule, unless an equal sample exists. Later comparisons
  /// with other rules may use it.
  mutating func keep(_ witness: Witness, of rule: Int) {
    let sample = Sample(witness, or: 0, solver.ground)
    guard samples[rule].count < Self.mostSamples, !samples[rule].contains(where: sample.isLike) else {
      return
    }
    samples[rule].append(sample)
    points.rule = -1
  }

  /// Returns true when the rule's condition is not true while all facts are unknown.
  func needsFacts(_ rule: Int) -> Bool {
    let nothing = Sample(Witness(readings: []), or: 0, solver.ground)
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
