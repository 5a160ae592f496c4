public import StintModel
public import StintUnits

/// Classifies the motion of the phone by the variance and the rhythm of its acceleration over a sliding
/// window.
///
/// The window is 3 s long, or three samples when three samples span more than 3 s. A new activity is
/// published after it has lasted for at least 1.5 s and two samples. The first activity is published as soon
/// as the window is full. So a change is detected within 5 s at any rate from 1 Hz up. The phone's
/// orientation does not matter.
///
/// The variance selects a candidate. From 8 Hz up, the rhythm distinguishes walking from running when the
/// motion is strong, and a phone that a hand moves from cycling. From 10 Hz up, the steadiness of the
/// vibration distinguishes a hand from a vehicle.
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
  private var rhythm: MotionRhythm
  /// Walking or running, while the motion is strong; nil while it is not strong.
  private var gait: Activity?
  /// The number of samples until the rhythm of a strong motion is measured again.
  private var samplesToRhythm = 0

  /// Makes a classifier for samples at a fixed `period`.
  public init(period: TimeSpan) {
    let step = max(period.nanoseconds, 1)
    length = max(3, Int((3_000_000_000 + step - 1) / step))
    inverse = 1 / Double(length)
    requiredAgreement = max(2, Int((1_500_000_000 + step - 1) / step))
    window.reserveCapacity(length)
    rhythm = MotionRhythm(length: length)
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

  /// The variance of the window, in m²/s⁴ and summed over the axes.
  private var variance: Double { squares.sum() * inverse - (sum * sum).sum() * inverse * inverse }

  /// Measures how well the present window agrees with `activity`: from 0 to 1, or 0 while the activity is
  /// unknown.
  ///
  /// A value below 0.5 means a strong motion without the rhythm of steps, for example in a game of badminton.
  /// Below 8 Hz, the variance alone never gives more than 0.5.
  public mutating func measureConfidence() -> Double {
    guard let current, window.count == length else { return 0 }
    guard resolvesSteps else { return 0.5 }
    let variance = variance
    rhythm.measureBlocks(window, from: place)
    rhythm.measureRepetition(window, from: place)
    switch current {
    case .still: return variance < Self.limits.still ? 1 - 0.5 * max(variance, 0) / Self.limits.still : 0.5
    case .automotive: return rhythm.isSteady ? 1 - rhythm.slowShare : 0.5
    case .cycling: return max(0.5, rhythm.regularity)
    case .walking, .running:
      return variance < Self.limits.walking ? max(0.5, rhythm.regularity) : rhythm.regularity
    }
  }

  @usableFromInline
  mutating func update(_ variance: Double) -> Bool {
    var newActivity = Self.activity(of: variance)
    if newActivity != .running {
      gait = nil
    } else if resolvesSteps {
      newActivity = strongGait(variance)
    }
    if newActivity == current {
      candidate = nil
      return false
    }
    agreed = newActivity == candidate ? agreed + 1 : 1
    candidate = newActivity
    guard current == nil || agreed >= requiredAgreement else { return false }
    candidate = nil
    newActivity = confirmed(newActivity)
    guard newActivity != current else { return false }
    current = newActivity
    return true
  }

  /// Whether the samples are frequent enough to show a rotation: at least 4 per second.
  private var resolvesRotation: Bool { length >= 12 }
  /// Whether the samples are frequent enough to show each step: at least 8 per second.
  private var resolvesSteps: Bool { length >= 24 }
  /// Whether the samples are frequent enough to show a vibration: at least 10 per second.
  private var resolvesVibration: Bool { length >= 30 }

  /// Returns walking or running for a strong motion. The rhythm is measured every 1.5 s. A rhythm that
  /// is neither of both changes nothing.
  private mutating func strongGait(_ variance: Double) -> Activity {
    samplesToRhythm -= 1
    if let gait, samplesToRhythm > 0 { return gait }
    samplesToRhythm = requiredAgreement
    rhythm.measureRepetition(window, from: place)
    let next = Self.gait(rhythm, variance) ?? gait ?? (current == .walking ? .walking : .running)
    gait = next
    return next
  }

  /// Returns the activity for a rhythm with one step or one stride (two steps) per repetition; nil when the
  /// rhythm is unclear. Walking has up to 2.3 steps per second.
  private static func gait(_ rhythm: MotionRhythm, _ variance: Double) -> Activity? {
    guard rhythm.regularity >= 0.5 else { return nil }
    // No walking is as strong as this, however the phone is carried.
    if variance > 100 { return .running }
    switch rhythm.frequency {
    case ..<1.15: return .walking
    case ..<1.5: return .running
    case ..<2.3: return .walking
    default: return .running
    }
  }

  /// Returns `activity` if the window agrees with it, and still if a hand moves the phone: then the motion
  /// comes in bursts without a rhythm, or gravity turns while its strength is constant.
  private mutating func confirmed(_ activity: Activity) -> Activity {
    guard resolvesRotation, activity != .still else { return activity }
    rhythm.measureBlocks(window, from: place)
    if rhythm.isRotation { return .still }
    switch activity {
    case .automotive: return !resolvesVibration || rhythm.isSteady ? activity : .still
    case .cycling:
      guard resolvesSteps, !rhythm.isSteady else { return activity }
      rhythm.measureRepetition(window, from: place)
      // A person at rest sways about once per second; a cyclist pedals faster.
      return rhythm.regularity >= 0.5 && rhythm.frequency >= 1.07 ? activity : .still
    default: return activity
    }
  }

  /// The variances that separate the activities, in m²/s⁴ and summed over the axes. Each is between the
  /// typical variances of two activities.
  private static let limits = (still: 0.015, automotive: 0.17, cycling: 2.0, walking: 22.0)

  private static func activity(of variance: Double) -> Activity {
    if variance < limits.still { return .still }
    if variance < limits.automotive { return .automotive }
    if variance < limits.cycling { return .cycling }
    return variance < limits.walking ? .walking : .running
  }
}
