import StintModel
import StintUnits

/// One request to defer updates, with its progress towards its bounds.
struct Deferral: Hashable, Sendable {
  let number: Int
  let distance: Double?
  let time: TimeSpan?
  let began: Instant
  /// The value of the serving device's odometer from which the distance is measured. It was read at the start
  /// of the deferral, or when the device began to serve. Nil until the device publishes a value.
  private var start: Double?
  /// The distance in metres that was travelled while other devices served.
  private var travelled = 0.0

  init(_ number: Int, distance: Double?, time: TimeSpan?, at instant: Instant, odometer: Double?) {
    self.number = number
    self.distance = distance
    self.time = time
    began = instant
    start = odometer
  }

  /// The instant at which the time bound is reached; the distant future without a time bound.
  var deadline: Instant {
    guard let time else { return .distantFuture }
    return began + min(max(time, .zero), LocationDefaults.longestHold)
  }

  /// Returns the bounds that are reached now; empty while the deferral continues.
  mutating func reached(at instant: Instant, odometer: Double?) -> [HoldBound] {
    if start == nil { start = odometer }
    var bounds: [HoldBound] = []
    if let distance, distance <= 0 || travelled + distanceSinceStart(odometer) >= distance {
      bounds.append(.distance(distance))
    }
    if let time, instant >= deadline { bounds.append(.time(time)) }
    return bounds
  }

  /// Records a change of the serving device; each device has its own odometer.
  mutating func changeDevice(leaving last: Double?, arriving first: Double?) {
    travelled += distanceSinceStart(last)
    start = first
  }

  private func distanceSinceStart(_ odometer: Double?) -> Double {
    guard let odometer, let start else { return 0 }
    return max(odometer - start, 0)
  }
}

/// The deferrals of a stream. At most one is running. The ends of earlier deferrals are reported after all
/// held fixes have arrived.
struct Deferrals: Sendable {
  private var running: Deferral?
  /// The ends that are reported after all held fixes have arrived.
  private var ends: [(number: Int, end: DeferralEnd)] = []

  var isRunning: Bool { running != nil }
  /// True while an end waits for held fixes.
  var hasEnds: Bool { !ends.isEmpty }
  /// The instant at which the running deferral reaches its time bound. The distant future without a running
  /// deferral or a time bound.
  var deadline: Instant { running?.deadline ?? .distantFuture }

  /// Begins a deferral, which replaces a running deferral.
  mutating func begin(_ deferral: Deferral) {
    if let running { ends.append((running.number, .cancelled)) }
    running = deferral
  }

  /// Returns the bounds that the running deferral has reached.
  mutating func reached(at instant: Instant, odometer: Double?) -> [HoldBound] {
    running?.reached(at: instant, odometer: odometer) ?? []
  }

  /// Ends the running deferral. Returns false when none is running.
  mutating func end(_ end: DeferralEnd) -> Bool {
    guard let running else { return false }
    self.running = nil
    ends.append((running.number, end))
    return true
  }

  /// Records a change of the serving device; each device has its own odometer.
  mutating func changeDevice(leaving last: Double?, arriving first: Double?) {
    running?.changeDevice(leaving: last, arriving: first)
  }

  /// Removes and returns the waiting ends.
  mutating func drainEnds() -> [(number: Int, end: DeferralEnd)] {
    defer { ends.removeAll() }
    return ends
  }
}

/// A filter that admits only fixes that are far enough from the last admitted fix.
struct DistanceFilter: Hashable, Sendable {
  /// The least distance in metres; nil admits every fix.
  var metres: Double?
  private var last: Coordinate?

  /// The tolerance in metres. A distance that is shorter than `metres` by at most this tolerance is admitted.
  private static let slack = 0.01

  init(metres: Double?) { self.metres = metres }

  /// Returns whether the fix is admitted. An admitted fix becomes the new reference.
  mutating func admits(_ place: Coordinate) -> Bool {
    if let metres, let last, last.distance(to: place) < metres - Self.slack { return false }
    last = place
    return true
  }
}
