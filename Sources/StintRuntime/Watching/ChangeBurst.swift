import StintUnits

/// A collector that combines a burst of file changes into one report. Editors write, rename and delete
/// several files for one save.
struct ChangeBurst {
  /// The time without changes after which a burst has ended.
  static let quiet = TimeSpan.milliseconds(30)
  /// The maximum duration of a burst. After this time the burst is reported, even when changes continue.
  static let longest = TimeSpan.milliseconds(300)

  enum Step: Hashable {
    /// The burst has ended with these changes.
    case over([FileChange])
    /// The burst continues. Call `end(at:)` again at this time.
    case waitMore(MonotonicInstant)
  }

  private var changes: [FileChange] = []
  private var began: MonotonicInstant?
  private var latest = MonotonicInstant(nanoseconds: 0)

  /// The time at which the burst ends if no further change arrives.
  private var due: MonotonicInstant {
    min(latest + Self.quiet, (began ?? latest) + Self.longest)
  }

  /// Adds changes. Returns the time at which to call `end(at:)` when these changes begin a burst;
  /// otherwise nil.
  mutating func add(_ more: [FileChange], at now: MonotonicInstant) -> MonotonicInstant? {
    changes += more
    latest = now
    guard began == nil else { return nil }
    began = now
    return due
  }

  /// Ends the burst and returns its changes, or returns the time at which to call again.
  mutating func end(at now: MonotonicInstant) -> Step {
    guard now >= due else { return .waitMore(due) }
    defer {
      changes = []
      began = nil
    }
    return .over(FileChange.merged(changes))
  }
}
