import StintModel

extension RuleTable {
  /// How many samples of a rule are kept.
  static let mostSamples = 8

  /// The facts of a witness with which the rule is in force, and the same close to its limits: of the first or of the
  /// last that a search finds.
  func samples(of rule: Int, _ witness: Witness?, isLast: Bool) -> [Sample] {
    guard let witness else { return [] }
    // A weekday at noon or a night of the weekend, where the rule itself does not care.
    let time = isLast ? 6 * WeekTime.day + WeekTime.day / 8 : 2 * WeekTime.day + WeekTime.day / 2
    let sample = Sample(witness, or: time, solver.ground)
    guard let condition = conditions[rule] else { return [sample] }
    let limits = Survey([inForce(rule)], schedules: solver.ground.schedules).limits
    if let close = sample.close(to: limits, fromBelow: isLast, for: condition) { return [close, sample] }
    // Facts with which it is true although it looks back may do where those with which it may be so do not.
    var withoutTime = inForce(rule)
    withoutTime.condition = condition.withoutTime
    guard let witness = solver.solveOnce([withoutTime], isReversed: isLast).witness,
      let close = Sample(witness, or: time, solver.ground).close(
        to: limits, fromBelow: isLast, for: condition)
    else { return [sample] }
    return [close, sample]
  }

  /// Whether a known sample has `other` in force and `rule` not. With a `device`, the sample must not lack a
  /// demand on it.
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

  /// Looks for more samples of a rule, which takes a search of its own.
  mutating func widen(_ rule: Int) {
    guard !isWide[rule] else { return }
    isWide[rule] = true
    guard !samples[rule].isEmpty else { return }
    let last = solver.solveOnce([inForce(rule)], isReversed: true).witness ?? looks[rule].witness
    samples[rule] += samples(of: rule, last, isLast: true)
    points.rule = -1
  }

  /// Keeps the facts with which a rule was seen in force, where they are new: what shows it of one may show it of
  /// others.
  mutating func keep(_ witness: Witness, of rule: Int) {
    let sample = Sample(witness, or: 0, solver.ground)
    guard samples[rule].count < Self.mostSamples, !samples[rule].contains(where: sample.isLike) else {
      return
    }
    samples[rule].append(sample)
    points.rule = -1
  }

  /// Whether the rule's condition is not true where nothing is known.
  func needsFacts(_ rule: Int) -> Bool {
    let nothing = Sample(Witness(readings: []), or: 0, solver.ground)
    return !boxes.allow(rule, boxes.point(of: nothing)) || !boxes.allowRest(rule) { nothing }
  }
}

extension CheckedExpression {
  /// The same without `for` and `in last`, and with latches that only their thresholds close.
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
