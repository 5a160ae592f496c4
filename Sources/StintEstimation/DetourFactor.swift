import StintModel
import StintUnits

/// The detour factor is the share of a reckoned way that remains as a straight distance.
///
/// It is learned from each way between two deliveries, on foot apart from riding. A device that moves to and fro about a
/// place is found by several ways together: each may be straight, while the last leads back to where the first began.
struct DetourFactor: Hashable, Sendable {
  private struct Stop: Hashable {
    let place: Coordinate
    /// Metres from the stop before.
    let metres: Double
  }

  // All constants here are fitted: ARCHITECTURE.md, "Estimation".

  /// The shares that are possible, and the weight of the newest way.
  private static let possible = 0.7...1.2
  private static let learning = 0.15
  /// A way below this many metres is noise and teaches nothing.
  private static let shortest = 8.0
  /// A device stays about a place where this many ways together led away by less than this share of their length.
  private static let ways = 3
  private static let staying = 0.6
  /// The factor on that share while the device stays, and the least share: in the end it leaves.
  private static let gain = 1.5
  private static let leaving = 0.6

  private var onFoot = 1.0
  private var riding = 1.0
  private var stops: [Stop] = []
  private var metres = 0.0

  /// The expected share of the way that began last.
  func value(for activity: Activity?) -> Double {
    switch activity {
    case .still?, .walking?: min(onFoot, about)
    case .running?: min(riding, about)
    case .cycling?, .automotive?, nil: riding
    }
  }

  /// Learns from a reckoned way in metres that ended at this distance from its beginning.
  mutating func learn(_ distance: Double, of metres: Double, for activity: Activity?) {
    guard metres > Self.shortest else { return }
    let share = min(max(distance / metres, Self.possible.lowerBound), Self.possible.upperBound)
    if activity == .still || activity == .walking {
      onFoot += (share - onFoot) * Self.learning
    } else {
      riding += (share - riding) * Self.learning
    }
  }

  /// Adds reckoned metres to the present way.
  mutating func goes(_ metres: Double) { self.metres += metres }

  /// Ends the present way where a position was delivered.
  mutating func stops(at place: Coordinate) {
    guard metres > Self.shortest else { return }
    if stops.count > Self.ways { stops.removeFirst() }
    stops.append(Stop(place: place, metres: metres))
    metres = 0
  }

  /// The share while the device stays about a place; infinite where it does not.
  private var about: Double {
    guard let first = stops.first, let last = stops.last, stops.count > Self.ways else { return .infinity }
    let share = first.place.distance(to: last.place) / stops.dropFirst().reduce(0) { $0 + $1.metres }
    return share < Self.staying ? max(Self.leaving, Self.gain * share) : .infinity
  }
}
