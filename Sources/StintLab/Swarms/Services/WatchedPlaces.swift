import StintServices
import StintUnits

/// Checks the place notices of a client: arrivals and departures alternate, so none is lost or repeated.
struct WatchedPlaces: Sendable {
  private var inside: [String: Bool] = [:]
  /// The open visit of each receiver, and when its last one began.
  private var visits: [String: (arrival: Instant, isOpen: Bool)] = [:]

  /// Whether the next notice may repeat one that the last daemon delivered and could not record.
  private var mayRepeat = false
  /// After a restart the search for beacons begins again: whether the phone is in range is not kept.
  private var isOfBeacons = false

  /// The daemon died.
  mutating func lose(isBehind: Bool) {
    if isOfBeacons || isBehind { inside = [:] }
    guard isBehind else { return }
    visits = [:]
    mayRepeat = true
  }

  /// What is wrong with it; nil when nothing is.
  mutating func take(_ notice: RegionNotice) -> String? {
    switch notice {
    case .known(let region, let isInside): know(region, isInside)
    case .entered(let region): cross(region, to: true)
    case .exited(let region): cross(region, to: false)
    }
  }

  mutating func take(_ notice: BeaconNotice) -> String? {
    isOfBeacons = true
    switch notice {
    case .known(let region, let isInside): return know(region, isInside)
    case .entered(let region): return cross(region, to: true, mayBeFirst: true)
    case .exited(let region): return cross(region, to: false, mayBeFirst: true)
    case .unknown(let region):
      return inside.removeValue(forKey: region) == nil ? "loses “\(region)”, of which nothing was known" : nil
    }
  }

  mutating func take(_ notice: VisitNotice) -> String? {
    switch notice {
    case .arrived(let visit, let receiver):
      let before = visits[receiver]
      visits[receiver] = (visit.arrival, true)
      if before?.isOpen == true { return "“\(receiver)” arrives twice" }
      if let before, visit.arrival <= before.arrival {
        return "“\(receiver)” arrives before the visit before"
      }
      return visit.departure == nil ? nil : "“\(receiver)” arrives at what it has left"
    case .departed(let visit, let receiver):
      let before = visits[receiver]
      visits[receiver] = (visit.arrival, false)
      if before == nil, mayRepeat { return nil }
      guard let before, before.isOpen else { return "“\(receiver)” leaves where it never arrived" }
      if before.arrival != visit.arrival { return "“\(receiver)” leaves another visit than it began" }
      guard let departure = visit.departure, departure >= visit.arrival else {
        return "“\(receiver)” leaves before it arrives"
      }
      return nil
    }
  }

  private mutating func know(_ region: String, _ isInside: Bool) -> String? {
    inside.updateValue(isInside, forKey: region) == nil ? nil : "gets the state of “\(region)” twice"
  }

  /// A watch for beacons outlives its client: after a new request the first notices are those of the
  /// meantime.
  private mutating func cross(_ region: String, to isInside: Bool, mayBeFirst: Bool = false) -> String? {
    let before = inside.updateValue(isInside, forKey: region)
    if before == !isInside { return nil }
    if before == nil, mayBeFirst || mayRepeat { return nil }
    let word = isInside ? "enters" : "leaves"
    return before == nil ? "\(word) “\(region)” of which nothing was known" : "\(word) “\(region)” twice"
  }
}
