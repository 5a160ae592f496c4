import StintModel
import StintUnits

/// How far apart a device's positions of the last while lie. Noise is taken out by joining those of a twentieth of the
/// window; so at most a few dozen are kept.
///
/// It is known once positions have been seen all through the window, the first of them at its beginning or before. A
/// device that rests looks once a window, and the position from before tells what became of it.
struct SpreadRecord: Sendable {
  /// Positions that came soon after each other.
  private struct Group: Hashable, Sendable {
    let first: Instant
    var last: Instant
    let origin: Coordinate
    var count = 0.0
    /// Sums of the distances from `origin`, in degrees.
    var north = 0.0
    var east = 0.0

    var middle: Coordinate {
      Coordinate(latitude: origin.latitude + north / count, longitude: origin.longitude + east / count)
        ?? origin
    }
  }

  private static let groupsInWindow: Int64 = 20

  let window: TimeSpan
  private let latitude: Int
  private let longitude: Int
  private var groups: [Group] = []
  private var seenAt = Instant(nanoseconds: .min)

  /// Nil where the device does not say where it is.
  init?(_ device: DeviceID, window: TimeSpan, in vocabulary: Vocabulary) {
    guard let latitude = vocabulary.fact(device.path + ".latitude"),
      let longitude = vocabulary.fact(device.path + ".longitude")
    else { return nil }
    self.window = window
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The fact that changes it.
  var fact: Int { longitude }

  /// The same going on from what was known.
  func going(on old: SpreadRecord) -> SpreadRecord {
    old.window == window && old.latitude == latitude && old.longitude == longitude ? old : self
  }

  /// Takes in a position that is new.
  mutating func read(_ facts: FactTable, at now: Instant) {
    let taken = facts.instant(longitude)
    if taken > seenAt, case .number(let north) = facts.value(latitude),
      case .number(let east) = facts.value(longitude),
      let place = Coordinate(latitude: north, longitude: east)
    {
      seenAt = taken
      add(place, at: taken)
    }
    let start = now - window
    while groups.count > 1, groups[1].first <= start || groups[0].last < start - window {
      groups.removeFirst()
    }
    if groups.count == 1, groups[0].last < start - window { groups.removeAll(keepingCapacity: true) }
  }

  private mutating func add(_ place: Coordinate, at instant: Instant) {
    let length = TimeSpan(nanoseconds: window.nanoseconds / Self.groupsInWindow)
    if groups.last.map({ instant - $0.first >= length }) ?? true {
      groups.append(Group(first: instant, last: instant, origin: place))
    }
    let last = groups.count - 1
    groups[last].last = instant
    groups[last].count += 1
    groups[last].north += place.latitude - groups[last].origin.latitude
    groups[last].east += place.longitude - groups[last].origin.longitude
  }

  /// Metres; unknown until the window is full, and when nothing was seen within it.
  func value(at now: Instant) -> FactValue {
    let start = now - window
    guard let first = groups.first, first.first <= start, let last = groups.last, last.last > start else {
      return .unknown
    }
    var spread = 0.0
    let middles = groups.map(\.middle)
    for (place, left) in middles.enumerated() {
      for right in middles.dropFirst(place + 1) { spread = max(spread, left.distance(to: right)) }
    }
    return .number(spread)
  }

  /// When it changes although nothing comes: a position leaves the window, or the window is full.
  func next(after now: Instant) -> Instant {
    var next = Instant.distantFuture
    for group in groups {
      for instant in [group.first + window, group.last + window] where instant > now {
        next = min(next, instant)
      }
    }
    return next
  }
}
