public import StintModel
public import StintUnits

/// Classifies the motion of the phone by the variance of its acceleration over a sliding window.
///
/// The window is 3 s long, or three samples when three samples span more than 3 s. A new activity is
/// published after it has lasted for at least 1.5 s and two samples. The first activity is published as soon
/// as the window is full. So a change is detected within 5 s at any rate from 1 Hz up. The phone's
/// orientation does not matter.
public struct MotionClassifier: Sendable {
  @usableFromInline var window: [SIMD3<Double>] = []
  /// The index of the oldest sample in a full window.
  @usableFromInline var place = 0
  /// The number of samples in a full window.
  @usableFromInline let length: Int
  /// 1 / `length`.
  @usableFromInline let inverse: Double
  /// The number of successive samples after which `candidate` becomes the activity.
  @usableFromInline let requiredAgreement: Int
  @usableFromInline var sum = SIMD3<Double>.zero
  @usableFromInline var squares = SIMD3<Double>.zero
  @usableFromInline var candidate: Activity?
  /// The number of successive samples whose window gave the activity `candidate`.
  @usableFromInline var agreed = 0
  /// The current activity; nil until the first window is full.
  @inlinable public var activity: Activity? { current }
  @usableFromInline var current: Activity?

  /// Makes a classifier for samples at a fixed `period`.
  public init(period: TimeSpan) {
    let step = max(period.nanoseconds, 1)
    length = max(3, Int((3_000_000_000 + step - 1) / step))
    inverse = 1 / Double(length)
    requiredAgreement = max(2, Int((1_500_000_000 + step - 1) / step))
    window.reserveCapacity(length)
  }

  /// Adds a sample, in m/s². Returns true when `activity` changed.
  @inlinable
  public mutating func add(_ sample: SIMD3<Double>) -> Bool {
    // Subtracting gravity keeps the sums, and so their rounding errors, small.
    let value = sample - SIMD3(0, 0, 9.80665)
    if window.count < length {
      window.append(value)
    } else {
      let oldest = window[place]
      sum -= oldest
      squares -= oldest * oldest
      window[place] = value
      place = place + 1 == length ? 0 : place + 1
    }
    sum += value
    squares += value * value
    guard window.count == length else { return false }
    return update(squares.sum() * inverse - (sum * sum).sum() * inverse * inverse)
  }

  @usableFromInline
  mutating func update(_ variance: Double) -> Bool {
    let newActivity = Self.activity(of: variance)
    if newActivity == current {
      candidate = nil
      return false
    }
    agreed = newActivity == candidate ? agreed + 1 : 1
    candidate = newActivity
    guard current == nil || agreed >= requiredAgreement else { return false }
    current = newActivity
    candidate = nil
    return true
  }

  /// Returns the activity for a variance, in m²/s⁴ and summed over the axes. Each threshold is between the
  /// typical variances of two activities.
  private static func activity(of variance: Double) -> Activity {
    if variance < 0.015 { return .still }
    if variance < 0.17 { return .automotive }
    if variance < 2 { return .cycling }
    return variance < 22 ? .walking : .running
  }
}
