import StintModel
import StintUnits

/// A positioning device for region monitoring, with the accuracy and the energy of a position.
struct PositionSource: Hashable, Sendable {
  let device: DeviceID
  /// The 95 % radius of the positions, in metres.
  let accuracy: Double
  /// The largest energy of one position after a long pause.
  let energy: Energy
  /// The energy of one position shortly after another position.
  let repeatedEnergy: Energy

  /// Whether a probe that finds no position may cost more than 1 J.
  var isExpensive: Bool { energy > Energy(nanojoules: 1_000_000_000) }

  init(_ manifest: Manifest) {
    device = manifest.device
    accuracy = manifest.positionAccuracy
    energy = manifest.readingEnergy(within: PositionProbe.timeout)
    // A receiver that has stored the satellite orbits finds a position within seconds.
    repeatedEnergy = IdleModeChoice(manifest)?.hotFixEnergy ?? energy
  }
}

extension ServiceContext {
  /// The available positioning devices, the cheapest first. Of equally cheap devices, the coarsest is first.
  var positionSources: [PositionSource] {
    roles.devices(.positioning).filter(isAvailable).compactMap { manifest($0).map(PositionSource.init) }
      .sorted { ($0.energy, -$0.accuracy, $0.device) < ($1.energy, -$1.accuracy, $1.device) }
  }
}

/// The record of a device's probes: the last success, and the pause after failures.
struct ProbeRecord: Hashable, Sendable {
  /// The time after a position during which the next position is cheap.
  static let warmth = TimeSpan.minutes(10)
  /// The longest wait for a position within `warmth` after the previous position.
  static let warmTimeout = TimeSpan.seconds(30)
  /// The pause after the first failure, and the longest pause. Each failure doubles the pause.
  static let pauses = TimeSpan.minutes(5)...TimeSpan.hours(4)
  /// The pause after an expensive failure at rest: without movement, the reception does not change.
  static let pauseAtRest = TimeSpan.hours(1)

  private var lastSuccess: Instant?
  private var lastFailure: Instant?
  private var failures = 0
  /// The earliest instant of the next probe.
  private(set) var retryAt = Instant.epoch

  /// Returns whether the device found a position a short time ago and has not failed since.
  func isWarm(at now: Instant) -> Bool {
    guard failures == 0, let lastSuccess else { return false }
    return now - lastSuccess <= Self.warmth
  }

  mutating func succeeded(at instant: Instant) {
    lastSuccess = instant
    failures = 0
    retryAt = .epoch
  }

  mutating func failed(at instant: Instant, pause: TimeSpan) {
    lastFailure = instant
    retryAt = instant + DoublingPause(pause, upTo: Self.pauses.upperBound).doubled(failures)
    failures += 1
  }

  /// Shortens the pause, because the host has moved and may have reached a place with reception.
  mutating func moved() {
    guard let lastFailure else { return }
    failures = min(failures, 1)
    retryAt = min(retryAt, lastFailure + Self.pauses.lowerBound)
  }
}
