import StintModel
import StintUnits

/// The ratio of straight distance to estimated path length.
///
/// The ratio is learned from each path from a delivered position to the next fix. Rest and walking have one
/// ratio; faster movement and unknown activities have another ratio. A device that moves back and forth
/// around a position is recognized from several consecutive paths, each between two deliveries. Each path may
/// be straight, but together the paths lead back towards the start of the first path.
struct StraightnessRatio: Hashable, Sendable {
  private struct Stop: Hashable {
    let place: Coordinate
    /// The path length from the previous stop, in metres.
    let metres: Double
  }

  // All constants here are fitted: ARCHITECTURE.md, "Estimation".

  /// The possible ratios (`possibleRatios`), and the weight of the newest path (`learningRate`).
  private static let possibleRatios = 0.7...1.2
  private static let learningRate = 0.15
  /// The length, in metres, below which a path is noise and does not change the ratio.
  private static let shortest = 8.0
  /// The number of paths and the share that determine whether the device stays around a position.
  ///
  /// The device stays when the straight distance over the last `pathCount` paths is less than the share
  /// `stayingShare` of their total length.
  private static let pathCount = 3
  private static let stayingShare = 0.6
  /// While the device stays, the straightness ratio is at most `gain` times the measured share. This limit is
  /// at least `minRatio`, because the device will leave the position at some time. It does not apply to
  /// cycling, to vehicles and to unknown activities.
  private static let gain = 1.5
  private static let minRatio = 0.6

  /// The learned ratios: `onFoot` for rest and walking, `riding` for faster movement and unknown activities.
  private var onFoot = 1.0
  private var riding = 1.0
  private var stops: [Stop] = []
  /// The estimated length of the current path, in metres.
  private var metres = 0.0

  /// Returns the expected straightness ratio of the current path for an activity.
  func value(for activity: Activity?) -> Double {
    switch activity {
    case .still?, .walking?: min(onFoot, stayingRatio)
    case .running?: min(riding, stayingRatio)
    case .cycling?, .automotive?, nil: riding
    }
  }

  /// Learns from a path of `metres` whose end is `distance` metres from its beginning.
  mutating func learn(_ distance: Double, of metres: Double, for activity: Activity?) {
    guard metres > Self.shortest else { return }
    let share = min(max(distance / metres, Self.possibleRatios.lowerBound), Self.possibleRatios.upperBound)
    if activity == .still || activity == .walking {
      onFoot += (share - onFoot) * Self.learningRate
    } else {
      riding += (share - riding) * Self.learningRate
    }
  }

  /// Adds estimated metres to the current path.
  mutating func addDistance(_ metres: Double) { self.metres += metres }

  /// Ends the current path at a delivered position.
  mutating func endPath(at place: Coordinate) {
    guard metres > Self.shortest else { return }
    if stops.count > Self.pathCount { stops.removeFirst() }
    stops.append(Stop(place: place, metres: metres))
    metres = 0
  }

  /// The upper limit of the straightness ratio while the device stays around a position. The limit is
  /// infinite when the device does not stay there.
  private var stayingRatio: Double {
    guard let first = stops.first, let last = stops.last, stops.count > Self.pathCount else {
      return .infinity
    }
    let share = first.place.distance(to: last.place) / stops.dropFirst().reduce(0) { $0 + $1.metres }
    return share < Self.stayingShare ? max(Self.minRatio, Self.gain * share) : .infinity
  }
}
