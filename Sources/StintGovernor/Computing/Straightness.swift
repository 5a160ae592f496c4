import StintModel
import StintUnits

/// How straight ways lead away: the share of a reckoned way that is left as the crow flies.
///
/// It is learned way by way, for those on foot apart from the others. Who walks to and fro about a place is told by
/// several ways together: each may be straight, and yet the last leads back to where the first began.
struct Straightness: Hashable, Sendable {
  private struct Stop: Hashable {
    let place: Coordinate
    /// Metres from the stop before.
    let metres: Double
  }

  /// What is believed of it, and how much of that the last way says.
  private static let possible = 0.7...1.2
  private static let learning = 0.15
  /// What is shorter says nothing.
  private static let shortest = 8.0
  /// So many ways together tell who stays about a place: where they led no further away than this share.
  private static let ways = 3
  private static let staying = 0.6
  /// The share then, of what they led away, and at least: for in the end everybody leaves.
  private static let gain = 1.5
  private static let leaving = 0.6

  private var onFoot = 1.0
  private var riding = 1.0
  private var stops: [Stop] = []
  private var metres = 0.0

  /// The share that is to be expected of the way that began last.
  func value(for activity: Activity?) -> Double {
    switch activity {
    case .still?, .walking?: min(onFoot, about)
    case .running?: min(riding, about)
    case .cycling?, .automotive?, nil: riding
    }
  }

  /// A way of so many metres, as reckoned, ended so far from where it began.
  mutating func learn(_ distance: Double, of metres: Double, for activity: Activity?) {
    guard metres > Self.shortest else { return }
    let share = min(max(distance / metres, Self.possible.lowerBound), Self.possible.upperBound)
    if activity == .still || activity == .walking {
      onFoot += (share - onFoot) * Self.learning
    } else {
      riding += (share - riding) * Self.learning
    }
  }

  /// It went so many metres on, as reckoned.
  mutating func goes(_ metres: Double) { self.metres += metres }

  /// Its position was handed over here: the next way begins.
  mutating func stops(at place: Coordinate) {
    guard metres > Self.shortest else { return }
    if stops.count > Self.ways { stops.removeFirst() }
    stops.append(Stop(place: place, metres: metres))
    metres = 0
  }

  /// The share of somebody who stays about a place; 1 and more where nobody does.
  private var about: Double {
    guard let first = stops.first, let last = stops.last, stops.count > Self.ways else { return .infinity }
    let share = first.place.distance(to: last.place) / stops.dropFirst().reduce(0) { $0 + $1.metres }
    return share < Self.staying ? max(Self.leaving, Self.gain * share) : .infinity
  }
}
