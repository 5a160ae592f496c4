import StintModel
import StintUnits

/// The history of the position probes of one provider. It helps to select the provider and the instant of the
/// next probe.
struct ProbeHistory: Sendable {
  /// The number of probes that a provider gets to decide a zone. The filter of `PositionTrack` needs three
  /// fixes; when these do not decide, further fixes at the same place rarely decide.
  static let fewestToDecide = 3
  /// The time for which a provider that found no position is not used. It doubles with each consecutive
  /// failure.
  static let retry = DoublingPause(Manifest.probeRetry, upTo: .hours(1))

  /// The instant at which the last probe began; nil before the first probe.
  private(set) var lastProbe: Instant?
  /// The number of probes whose positions left a needed zone undecided. The count restarts when a position
  /// decides all needed zones, and when the host begins or ceases to move.
  private var undecided = 0
  /// The number of consecutive failed probes, and the end of the last failed probe. Also the last known
  /// position at that end. The radius of this position includes the distance that the host can have moved
  /// since.
  private var failures = 0
  private var failedAt = Instant.epoch
  private var placeOfFailure: SensingInput.Position?

  /// True when the last probe found no position, and it is not certain that the host has moved since.
  var hasFailed: Bool { failures > 0 }

  /// True when at least `fewestToDecide` positions of the provider have left a needed zone undecided.
  var isUnableToDecide: Bool { undecided >= Self.fewestToDecide }

  /// Returns whether the provider is not used because it found no position. A host that does not move has the
  /// same reception as before, so the longest pause applies.
  func rests(at now: Instant, isMoving: Bool) -> Bool {
    guard failures > 0 else { return false }
    let pause = isMoving ? Self.retry.doubled(failures - 1) : Self.retry.longest
    return now < failedAt + pause
  }

  /// Returns the time between two probes while a needed zone is undecided. For a host that does not move,
  /// this time doubles with each undecided probe, from number `fewestToDecide` on.
  func pauseWhileUndecided(_ shortest: TimeSpan, isMoving: Bool, longest: TimeSpan) -> TimeSpan {
    guard !isMoving, isUnableToDecide else { return shortest }
    return DoublingPause(shortest, upTo: longest).doubled(undecided - Self.fewestToDecide + 1)
  }

  mutating func began(at now: Instant) { lastProbe = now }

  /// Records that a probe found a position.
  mutating func succeeded(decided: Bool) {
    failures = 0
    if !decided { undecided += 1 }
  }

  /// Records that a probe found no position. `position` is the last known position, and `travelled` the
  /// distance in metres that the host can have moved since.
  mutating func failed(at now: Instant, _ position: SensingInput.Position?, travelled: Double) {
    failures += 1
    failedAt = now
    placeOfFailure = position
    placeOfFailure?.radius += travelled
  }

  /// Resets the count of failures, so that the provider is used again.
  mutating func forgetFailures() { failures = 0 }

  /// Resets the count of positions that left a needed zone undecided.
  mutating func forgetUndecided() { undecided = 0 }

  /// Forgets the failures when a position is certainly not the place of the last failure.
  mutating func moved(to position: SensingInput.Position) {
    guard let placeOfFailure else { return }
    let distance = placeOfFailure.place.distance(to: position.place)
    if distance > placeOfFailure.radius + position.radius { failures = 0 }
  }
}
