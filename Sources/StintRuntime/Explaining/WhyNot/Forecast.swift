import StintMachine
import StintModel
import StintUnits

/// The truth value of a condition over time, from now on, while no fact changes.
struct Forecast: Equatable {
  /// A truth value that holds until the next interval begins.
  struct Stretch: Equatable {
    var from: Instant
    var truth: Truth
  }

  /// The intervals in ascending order. The first interval begins now, and the last one has no end. Adjacent
  /// intervals have different truth values.
  private(set) var stretches: [Stretch]

  /// Creates a forecast with a constant truth value.
  init(_ truth: Truth, from now: Instant) { stretches = [Stretch(from: now, truth: truth)] }

  /// Creates a forecast whose truth value changes once, at `instant`.
  init(_ truth: Truth, from now: Instant, then other: Truth, at instant: Instant) {
    self.init(truth, from: now)
    append(other, from: instant)
  }

  var now: Instant { stretches[0].from }

  /// Returns the first instant with this truth value. Returns nil when this value never occurs.
  func first(_ truth: Truth) -> Instant? { stretches.first { $0.truth == truth }?.from }

  /// Sets the truth value from `instant` on. Replaces all intervals that begin at or after `instant`.
  mutating func append(_ truth: Truth, from instant: Instant) {
    while stretches.count > 1, let last = stretches.last, last.from >= instant { stretches.removeLast() }
    if stretches.count == 1, instant <= stretches[0].from {
      stretches[0].truth = truth
    } else if stretches.last?.truth != truth {
      stretches.append(Stretch(from: instant, truth: truth))
    }
  }

  var negated: Forecast {
    var result = self
    for place in stretches.indices { result.stretches[place].truth = stretches[place].truth.negated }
    return result
  }

  /// Returns the three-valued conjunction (Kleene) at each instant.
  func and(_ other: Forecast) -> Forecast {
    var result = Forecast(stretches[0].truth.and(other.stretches[0].truth), from: now)
    var (left, right) = (0, 0)
    while true {
      let next = (stretchEnd(of: left), other.stretchEnd(of: right))
      let instant = min(next.0 ?? .distantFuture, next.1 ?? .distantFuture)
      if next.0 == nil, next.1 == nil { return result }
      if next.0 == instant { left += 1 }
      if next.1 == instant { right += 1 }
      result.append(stretches[left].truth.and(other.stretches[right].truth), from: instant)
    }
  }

  /// Returns the end of the interval at this index; nil for the last interval, which has no end.
  private func stretchEnd(of place: Int) -> Instant? {
    place + 1 < stretches.count ? stretches[place + 1].from : nil
  }

  // MARK: Temporal operators

  /// Returns the forecast of `… for SPAN`: true after the operand has been true for the span.
  ///
  /// - Parameter since: the instant since which the operand is true; nil when it is not true.
  /// - Parameter tolerate: the longest unknown interval that does not interrupt a true operand; nil when each
  ///   unknown interval interrupts it.
  func held(for span: TimeSpan, since: Instant?, tolerate: TimeSpan?) -> Forecast {
    var result = Forecast(.no, from: now)
    var since = since
    for (place, stretch) in stretches.enumerated() {
      let begin = stretch.from
      let gapEnd = tolerate.map { begin + $0 + .tick }
      switch stretch.truth {
      case .no:
        since = nil
        result.append(.no, from: begin)
      case .unknown where since == nil || gapEnd == nil:
        since = nil
        result.append(.unknown, from: begin)
      case .yes, .unknown:
        let start = since ?? begin
        since = start
        let end = stretch.truth == .unknown ? gapEnd : nil
        result.appendWait(from: begin, since: start, span: span, until: stretchEnd(of: place))
        if let end, end < stretchEnd(of: place) ?? .distantFuture {
          since = nil
          result.append(.unknown, from: end)
        }
      }
    }
    return result
  }

  /// Appends the intervals from `begin` to `end`: `.no` until the span since `start` has passed, and `.yes`
  /// from then on.
  private mutating func appendWait(
    from begin: Instant, since start: Instant, span: TimeSpan, until end: Instant?
  ) {
    let spanEnd = start + span
    guard spanEnd > begin else { return append(.yes, from: begin) }
    append(.no, from: begin)
    if spanEnd < end ?? .distantFuture { append(.yes, from: spanEnd) }
  }

  /// Returns the forecast of `… in last SPAN`: true until the span has passed after the operand was
  /// last true.
  ///
  /// - Parameter last: the last instant before now at which the operand was true; nil for never.
  func remembered(for span: TimeSpan, last: Instant?) -> Forecast {
    var result = Forecast(.no, from: now)
    var last = last
    for (place, stretch) in stretches.enumerated() {
      let end = stretchEnd(of: place)
      guard stretch.truth != .yes else {
        result.append(.yes, from: stretch.from)
        last = end
        continue
      }
      let spanEnd = last.map { $0 + span } ?? stretch.from
      if spanEnd > stretch.from { result.append(.yes, from: stretch.from) }
      let plain = max(spanEnd, stretch.from)
      if plain < end ?? .distantFuture { result.append(stretch.truth, from: plain) }
    }
    return result
  }
}
