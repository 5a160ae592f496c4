import StintUnits

/// A horizontal time axis with marks at round local times.
struct TimeAxis {
  /// A labelled position on the axis.
  struct Mark: Hashable {
    var instant: Instant
    var label: String
    /// True when the label is also shown on a narrow screen.
    var isMain: Bool
  }

  /// The width of a drawing in units.
  static let width = 10_000

  let start: Instant
  let end: Instant
  let timeZone: TimeZoneRules

  init(_ timeline: RunTimeline) {
    start = timeline.start
    end = timeline.end
    timeZone = timeline.timeZone
  }

  /// Returns the horizontal position of an instant, 0 to `width`.
  func place(_ instant: Instant) -> Int {
    guard end > start else { return 0 }
    let part = Double((instant - start).nanoseconds) / Double((end - start).nanoseconds)
    return Int((min(max(part, 0), 1) * Double(Self.width)).rounded())
  }

  /// Returns the horizontal position of an instant as a CSS percentage.
  func percent(_ instant: Instant) -> String {
    let place = place(instant)
    let rest = place % 100
    return "\(place / 100).\(rest < 10 ? "0" : "")\(rest)%"
  }

  /// The marks of the axis at round local times, usually 3 to 13.
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

  /// Returns the first instant after `instant` at which the local time is a multiple of the step.
  private func next(from instant: Instant, _ step: TimeSpan) -> Instant {
    let offset = timeZone.offset(at: instant)
    let local = instant.nanoseconds + offset.nanoseconds
    let (quotient, rest) = local.quotientAndRemainder(dividingBy: step.nanoseconds)
    let floor = rest < 0 ? quotient - 1 : quotient
    let multiple = Instant(nanoseconds: (floor + 1) * step.nanoseconds - offset.nanoseconds)
    let later = timeZone.offset(at: multiple)
    // Corrects for a change of the offset from UTC between `instant` and `multiple`.
    let corrected = multiple + (offset - later)
    return corrected > instant ? corrected : multiple
  }

  private func label(_ instant: Instant, _ step: TimeSpan) -> String {
    let moment = CalendarMoment(instant, timeZone)
    if step >= .hours(24) { return moment.day }
    if step < .minutes(1) { return moment.clock }
    // When the run is longer than a day, the label at midnight is the date.
    return moment.isMidnight && end - start > .hours(24) ? moment.day : moment.minutes
  }
}
