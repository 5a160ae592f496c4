import StintLanguage
import StintModel
import StintUnits

/// A reference evaluator of conditions. The evaluator applies the definition of each expression to the
/// complete input sequence at every instant. The evaluator is slow, has no state, and is independent of the
/// rule VM.
struct Reference {
  let story: Story
  let vocabulary: Vocabulary
  let schedules: [CheckedSchedule]

  /// Returns the value of an expression at every instant of `Story.moments`.
  func series(_ expression: CheckedExpression) -> [FactValue] {
    switch expression.kind {
    case .constant(let value): each { _ in value }
    case .fact(let path): each { fresh(path, $0) }
    case .known(let path): each { .boolean(fresh(path, $0) != .unknown) }
    case .age(let path, let comparison, let span):
      each { moment in
        guard let last = last(path, moment), last.value != .unknown else { return .unknown }
        return .boolean(Self.holds((now(moment) - last.at).nanoseconds, comparison, span.nanoseconds))
      }
    case .demanded: each { .boolean(isDemanded($0)) }
    case .inSchedule(let number): each { .boolean(isIn(schedules[number], now($0))) }
    case .window(let function, let path, let span): each { window(function, path, span, $0) }
    case .not(let operand): series(operand).map(Self.negated)
    case .negate(let operand): series(operand).map { Self.calculated(.number(0), .subtract, $0) }
    case .and(let operands): joined(operands, decisive: false)
    case .or(let operands): joined(operands, decisive: true)
    case .implies(let left, let right): joined([truth(.not(left)), right], decisive: true)
    case .compare(let comparison, let left, let right):
      zip(series(left), series(right)).map { Self.compared($0, comparison, $1) }
    case .arithmetic(let operation, let left, let right):
      zip(series(left), series(right)).map { Self.calculated($0, operation, $1) }
    case .oneOf(let operand, let values):
      series(operand).map { $0 == .unknown ? .unknown : .boolean(values.contains($0)) }
    case .latch(let side, let value, let threshold, let release):
      latch(side, series(value), series(threshold), series(release))
    case .heldFor(let operand, let span, let tolerate):
      held(series(operand), span, tolerate: tolerate)
    case .inLast(let operand, let span): remembered(series(operand), span)
    }
  }

  private func each(_ value: (Int) -> FactValue) -> [FactValue] { Story.moments.indices.map(value) }

  private func now(_ moment: Int) -> Instant { Story.moments[moment] }

  // MARK: Facts

  private func last(_ path: String, _ moment: Int) -> (value: FactValue, at: Instant)? {
    for second in stride(from: moment / Story.ticks, through: 0, by: -1) {
      for case .fact(path, let value) in story.events[second].reversed() {
        return (value, Story.moments[second * Story.ticks])
      }
    }
    return nil
  }

  private func fresh(_ path: String, _ moment: Int) -> FactValue {
    guard let last = last(path, moment) else { return .unknown }
    guard let maxAge = vocabulary.schema(path)?.maxAge else { return last.value }
    return now(moment) - last.at > maxAge ? .unknown : last.value
  }

  private func isDemanded(_ moment: Int) -> Bool {
    for second in stride(from: moment / Story.ticks, through: 0, by: -1) {
      for case .demanded(let isDemanded) in story.events[second].reversed() { return isDemanded }
    }
    return false
  }

  private func isIn(_ schedule: CheckedSchedule, _ instant: Instant) -> Bool {
    // All instants are on Thursday, 1 January 1970.
    schedule.windows.contains { window in
      (-1...0).contains { day in
        let start = TimeSpan.hours(24) * Int64(day) + window.from
        let length = window.to > window.from ? window.to - window.from : window.to - window.from + .hours(24)
        let begins = window.days.isEmpty || window.days.contains(3 + day)
        return begins && instant - .epoch >= start && instant - .epoch < start + length
      }
    }
  }

  private func window(_ function: WindowFunction, _ path: String, _ span: TimeSpan, _ moment: Int)
    -> FactValue
  {
    var samples: [(time: Double, value: Double)] = []
    for second in 0...moment / Story.ticks {
      let instant = Story.moments[second * Story.ticks]
      guard instant > now(moment) - span else { continue }
      for case .fact(path, .number(let value)) in story.events[second] {
        samples.append((Double(second), value))
      }
    }
    let values = samples.map(\.value)
    let count = Double(values.count)
    switch function {
    case .count: return .number(count)
    case .rate: return .number(count / span.seconds)
    case .avg: return values.isEmpty ? .unknown : .number(values.reduce(0, +) / count)
    case .min: return values.min().map { .number($0) } ?? .unknown
    case .max: return values.max().map { .number($0) } ?? .unknown
    case .spread:
      guard let least = values.min(), let most = values.max() else { return .unknown }
      return .number(most - least)
    case .trend:
      guard samples.count >= 3 else { return .unknown }
      // The rule VM uses another form of the slope formula.
      let times = samples.map(\.time)
      let products = samples.reduce(0) { $0 + $1.time * $1.value }
      let squares = times.reduce(0) { $0 + $1 * $1 }
      let sum = times.reduce(0, +)
      let slope = (count * products - sum * values.reduce(0, +)) / (count * squares - sum * sum)
      return .number(slope * span.seconds)
    }
  }

  // MARK: Time

  private func latch(
    _ side: LatchSide, _ values: [FactValue], _ thresholds: [FactValue], _ releases: [FactValue]
  ) -> [FactValue] {
    var isClosed = false
    return each { moment in
      guard case .number(let value) = values[moment], case .number(let threshold) = thresholds[moment],
        case .number(let release) = releases[moment]
      else { return .unknown }
      let closes = side == .below ? value < threshold : value > threshold
      let opens = side == .below ? value > release : value < release
      isClosed = closes || (isClosed && !opens)
      return .boolean(isClosed)
    }
  }

  /// Returns whether the operand has been true for the span. Searches backwards from each instant for the
  /// earliest true value after which only true values and unknown gaps up to `tolerate` follow.
  private func held(_ operand: [FactValue], _ span: TimeSpan, tolerate: TimeSpan?) -> [FactValue] {
    each { moment in
      if operand[moment] == .boolean(false) { return operand[moment] }
      var since: Int?
      var gapEnd: Int? = operand[moment] == .unknown ? moment : nil
      var place = moment
      while place >= 0 {
        if operand[place] == .boolean(false) { break }
        if operand[place] == .boolean(true) {
          since = place
          gapEnd = nil
        } else {
          gapEnd = gapEnd ?? place + 1
          guard let end = gapEnd, let tolerate, now(end) - now(place) <= tolerate else { break }
        }
        place -= 1
      }
      let isGapLong = operand[moment] == .unknown && since == nil
      if isGapLong { return .unknown }
      guard let since else { return .unknown }
      return .boolean(now(moment) - now(since) >= span)
    }
  }

  private func remembered(_ operand: [FactValue], _ span: TimeSpan) -> [FactValue] {
    each { moment in
      if operand[moment] == .boolean(true) { return .boolean(true) }
      for place in stride(from: moment - 1, through: 0, by: -1) where operand[place] == .boolean(true) {
        // The condition was true until the next instant.
        if now(moment) - now(place + 1) < span { return .boolean(true) }
        break
      }
      return operand[moment]
    }
  }
}
