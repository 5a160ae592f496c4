import StintUnits

/// Waits for the end of a burst of changes: editors write, rename and delete several files for one save.
struct ChangeBurst {
  /// How long nothing must happen for a burst to be over.
  static let quiet = TimeSpan.milliseconds(30)
  /// A burst is reported after this time even if it goes on.
  static let longest = TimeSpan.milliseconds(300)

  enum Step: Hashable {
    case over([FileChange])
    /// Ask again at this reading.
    case waitMore(MonotonicInstant)
  }

  private var changes: [FileChange] = []
  private var began: MonotonicInstant?
  private var latest = MonotonicInstant(nanoseconds: 0)

  private var due: MonotonicInstant {
    min(latest + Self.quiet, (began ?? latest) + Self.longest)
  }

  /// Adds changes; when they begin a burst, the reading at which to ask whether it is over.
  mutating func add(_ more: [FileChange], at now: MonotonicInstant) -> MonotonicInstant? {
    changes += more
    latest = now
    guard began == nil else { return nil }
    began = now
    return due
  }

  /// Whether the burst is over at a reading, and with what.
  mutating func end(at now: MonotonicInstant) -> Step {
    guard now >= due else { return .waitMore(due) }
    defer {
      changes = []
      began = nil
    }
    return .over(FileChange.merged(changes))
  }
}
