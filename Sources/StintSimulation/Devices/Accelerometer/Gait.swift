import StintModel

/// How a way of moving shakes a phone: a turning force of one strength and pace, and even noise on top.
struct Gait: Hashable, Sendable {
  /// Metres a second squared.
  var strength: Double
  /// Turns a second.
  var pace: Double
  /// The noise of each axis lies within ± this.
  var noise: Double

  /// The gait of an activity.
  static func of(_ activity: Activity) -> Gait {
    switch activity {
    case .still: Gait(strength: 0, pace: 0, noise: 0.05)
    case .walking: Gait(strength: 2.4, pace: 1.8, noise: 0.4)
    case .running: Gait(strength: 8, pace: 2.8, noise: 1)
    case .cycling: Gait(strength: 0.75, pace: 1.2, noise: 0.15)
    case .automotive: Gait(strength: 0.22, pace: 7.3, noise: 0.06)
    }
  }
}
