import StintModel
import StintUnits

/// One request to hold updates back, counting its way to its end.
struct Deferral: Hashable, Sendable {
  let number: Int
  let distance: Double?
  let time: TimeSpan?
  let began: Instant
  /// The serving device's odometer when it was asked or when that device began to serve; nil until the device knows.
  private var start: Double?
  /// Metres travelled while other devices served.
  private var travelled = 0.0

  init(_ number: Int, distance: Double?, time: TimeSpan?, at instant: Instant, odometer: Double?) {
    self.number = number
    self.distance = distance
    self.time = time
    began = instant
    start = odometer
  }

  /// When its time is up; the distant future when it has none.
  var deadline: Instant {
    guard let time else { return .distantFuture }
    return began + min(max(time, .zero), LocationDefaults.longestHold)
  }

  /// The bounds that are reached now; none while it goes on.
  mutating func reached(at instant: Instant, odometer: Double?) -> [HoldBound] {
    if start == nil { start = odometer }
    var bounds: [HoldBound] = []
    if let distance, distance <= 0 || travelled + way(odometer) >= distance {
      bounds.append(.distance(distance))
    }
    if let time, instant >= deadline { bounds.append(.time(time)) }
    return bounds
  }

  /// Another device serves from now on; each device has an odometer of its own.
  mutating func changeDevice(leaving last: Double?, arriving first: Double?) {
    travelled += way(last)
    start = first
  }

  private func way(_ odometer: Double?) -> Double {
    guard let odometer, let start else { return 0 }
    return max(odometer - start, 0)
  }
}

/// Lets a fix through when it lies far enough from the last that it let through.
struct DistanceFilter: Hashable, Sendable {
  /// Metres; nil lets every fix through.
  var metres: Double?
  private var last: Coordinate?

  /// The tolerance in metres: a distance that is short by this much still passes.
  private static let slack = 0.01

  init(metres: Double?) { self.metres = metres }

  /// Whether the fix is to be delivered; it is the new mark then.
  mutating func admits(_ place: Coordinate) -> Bool {
    if let metres, let last, last.distance(to: place) < metres - Self.slack { return false }
    last = place
    return true
  }
}
