import StintUnits

/// For how long what was asked has not been had, and how often it was given up.
struct Patience: Hashable, Sendable {
  /// Since when there is no good fix; nil while nothing is asked.
  private(set) var since: Instant?
  private(set) var failures = 0
  /// Whether any fix came since then.
  private(set) var hasFix = false

  /// It is tried now.
  mutating func begin(at instant: Instant) {
    since = instant
    hasFix = false
  }

  /// It is not tried.
  mutating func end() { since = nil }

  /// A fix came; a good one counts until it is too old.
  mutating func take(isGood: Bool, at instant: Instant, lasting: TimeSpan) {
    hasFix = true
    guard isGood else { return }
    since = instant + lasting
    failures = 0
  }

  /// It is looked at again a little later.
  mutating func extend(by span: TimeSpan) { since = since.map { $0 + span } }

  /// It was given up.
  mutating func fail() {
    failures += 1
    since = nil
  }
}
