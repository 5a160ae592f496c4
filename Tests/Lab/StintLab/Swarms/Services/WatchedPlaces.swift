import StintServices
import StintUnits

/// Checks the place notices of a client: arrivals and departures alternate, so no notice is lost or repeated.
struct WatchedPlaces: Sendable {
  private var inside: [String: Bool] = [:]
  /// The last visit of each receiver: its arrival, and whether it is open.
  private var visits: [String: (arrival: Instant, isOpen: Bool)] = [:]

  /// True when a notice may repeat an earlier notice, because an earlier daemon could not save the delivery.
  private var mayRepeat = false
  /// True for beacons. Their state is not saved, so a restart begins the search again.
  private var isOfBeacons = false

  /// Handles a crash of the daemon.
  mutating func lose(isBehind: Bool) {
    if isOfBeacons || isBehind { inside = [:] }
    guard isBehind else { return }
    visits = [:]
    mayRepeat = true
  }

  /// Checks a notice. Returns the violation, or nil.
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
      return inside.removeValue(forKey: region) == nil ? "loses “\(region)”, whose state was unknown" : nil
    }
  }

  mutating func take(_ notice: VisitNotice) -> String? {
    switch notice {
    case .arrived(let visit, let receiver):
      let before = visits[receiver]
      visits[receiver] = (visit.arrival, true)
      if before?.isOpen == true { return "“\(receiver)” arrives twice" }
      if let before, visit.arrival <= before.arrival {
        return "“\(receiver)” arrives before its previous visit"
      }
      return visit.departure == nil ? nil : "“\(receiver)” arrives at a visit that has ended"
    case .departed(let visit, let receiver):
      let before = visits[receiver]
      visits[receiver] = (visit.arrival, false)
      if before == nil, mayRepeat { return nil }
      guard let before, before.isOpen else { return "“\(receiver)” leaves without an arrival" }
      if before.arrival != visit.arrival { return "“\(receiver)” leaves a visit that it did not begin" }
      guard let departure = visit.departure, departure >= visit.arrival else {
        return "“\(receiver)” leaves before it arrives"
      }
      return nil
    }
  }

  private mutating func know(_ region: String, _ isInside: Bool) -> String? {
    inside.updateValue(isInside, forKey: region) == nil ? nil : "gets the state of “\(region)” twice"
  }

  /// Checks an entry or exit. A beacon service continues while its client is away. So when the client
  /// requests the service again, the first notices may concern the time of its absence.
  private mutating func cross(_ region: String, to isInside: Bool, mayBeFirst: Bool = false) -> String? {
    let before = inside.updateValue(isInside, forKey: region)
    if before == !isInside { return nil }
    if before == nil, mayBeFirst || mayRepeat { return nil }
    let word = isInside ? "enters" : "leaves"
    return before == nil ? "\(word) “\(region)”, whose state was unknown" : "\(word) “\(region)” twice"
  }
}
