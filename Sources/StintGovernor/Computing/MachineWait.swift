import StintUnits

/// How long a machine waits that would move twice at an instant: a millisecond, and twice as long each time that it
/// goes on as soon as it may, up to a minute.
struct MachineWait: Sendable {
  private static let shortest = TimeSpan(nanoseconds: 1_000_000)
  private static let longest = TimeSpan.minutes(1)

  private var span = shortest
  /// When it last waited until.
  private var end: Instant?

  /// Waits from an instant on; returns until when.
  mutating func begin(at now: Instant) -> Instant {
    let end = now + span
    self.end = end
    span = min(span + span, Self.longest)
    return end
  }

  /// The machine moves; where it did not do so at the end of its wait, it had come to rest.
  mutating func moves(at now: Instant) {
    if end != now { span = Self.shortest }
  }
}
