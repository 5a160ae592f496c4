import StintUnits

/// A run's time from left to right, with marks at whole hours, minutes or days of local time.
struct TimeAxis {
  /// One mark.
  struct Mark: Hashable {
    var instant: Instant
    var label: String
    /// Whether a narrow screen has room for its label.
    var isMain: Bool
  }

  /// Units from the left edge of a drawing to its right edge.
  static let width = 10_000

  let start: Instant
  let end: Instant
  let timeZone: TimeZoneRules

  init(_ timeline: RunTimeline) {
    start = timeline.start
    end = timeline.end
    timeZone = timeline.timeZone
  }

  /// How far right an instant is drawn, 0 to `width`.
  func place(_ instant: Instant) -> Int {
    guard end > start else { return 0 }
    let part = Double((instant - start).nanoseconds) / Double((end - start).nanoseconds)
    return Int((min(max(part, 0), 1) * Double(Self.width)).rounded())
  }

  /// How far right an instant is, in percent for a style.
  func percent(_ instant: Instant) -> String {
    let place = place(instant)
    let rest = place % 100
    return "\(place / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }

  /// At most twelve marks at round local times.
  var marks: [Mark] {
    let step = step
    var marks: [Mark] = []
    var instant = next(from: start - TimeSpan(nanoseconds: 1), step)
    while instant <= end, marks.count < 20 {
      marks.append(Mark(instant: instant, label: label(instant, step), isMain: marks.count % 2 == 0))
      instant = next(from: instant, step)
    }
    return marks
  }

  private var step: TimeSpan {
    let choices: [TimeSpan] =
      [1, 2, 5, 10, 15, 30].map { .seconds($0) } + [1, 2, 5, 10, 15, 30].map { .minutes($0) }
      + [1, 2, 3, 6, 12, 24, 48, 168].map { .hours($0) }
    let limit = (end - start).nanoseconds / 12
    let week = TimeSpan.hours(168)
    return choices.first { $0.nanoseconds >= limit } ?? week * (limit / week.nanoseconds + 1)
  }

  /// The next instant at which the local clock shows a multiple of the step.
  private func next(from instant: Instant, _ step: TimeSpan) -> Instant {
    let offset = timeZone.offset(at: instant)
    let local = instant.nanoseconds + offset.nanoseconds
    let (quotient, rest) = local.quotientAndRemainder(dividingBy: step.nanoseconds)
    let floor = rest < 0 ? quotient - 1 : quotient
    let multiple = Instant(nanoseconds: (floor + 1) * step.nanoseconds - offset.nanoseconds)
    let later = timeZone.offset(at: multiple)
    // The clock was put forward or back in between.
    let corrected = multiple + (offset - later)
    return corrected > instant ? corrected : multiple
  }

  private func label(_ instant: Instant, _ step: TimeSpan) -> String {
    let moment = CalendarMoment(instant, timeZone)
    if step >= .hours(24) { return moment.day }
    if step < .minutes(1) { return moment.clock }
    // A day that begins within the run is named.
    return moment.isMidnight && end - start > .hours(24) ? moment.day : moment.minutes
  }
}
