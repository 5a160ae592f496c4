import StintModel
import StintServices
package import StintUnits

// The events about the state of a request, about places, and about transfers.

/// The state of a request's demand, with the device and the rules that limit the demand.
package struct StatusEvent: ClientEventContent, Hashable {
  package static let mark = "status"

  package var status: String
  package var device: String
  package var rules: [String]
  /// The time at which the status ends if no fact changes; nil when this time is unknown.
  package var until: Instant?
  /// The text of the fault for `faulty`, the reason for `unavailable`; nil for every other status.
  package var reason: String?

  init(_ state: DemandState) {
    until = state.until
    status = state.fault == nil ? state.grant.status.rawValue : "faulty"
    reason = state.fault ?? state.reason
    device = (state.grant.provider ?? state.target).path
    rules = state.grant.rules.map(\.description)
  }
}

/// The number of events that were dropped because the program read too slowly.
package struct LostEvent: ClientEventContent {
  package static let mark = "lost"

  package var lost: Int64
}

/// A region with its state or its change.
struct RegionEvent: ClientEventContent {
  static let mark = "region"

  var region: String
  var change: String
}

/// A beacon with its state or its change.
struct BeaconEvent: ClientEventContent {
  static let mark = "beacon"

  var beacon: String
  var change: String
}

/// The arrival at a place or the departure from it.
struct VisitEvent: ClientEventContent {
  static let mark = "visit"

  /// `arrived` or `departed`.
  var visit: String
  /// The coordinates in degrees.
  var latitude, longitude: Double
  /// The radius of the place in metres.
  var accuracy: Double
  var arrival: Instant
  var departure: Instant?

  enum CodingKeys: String, CodingKey {
    case visit
    case latitude = "lat"
    case longitude = "lon"
    case accuracy = "accuracy_m"
    case arrival, departure
  }

  init(_ change: String, _ visit: Visit) {
    self.visit = change
    latitude = visit.place.latitude
    longitude = visit.place.longitude
    accuracy = visit.accuracy
    arrival = visit.arrival
    departure = visit.departure
  }
}

/// The proximity of a beacon.
struct ProximityEvent: ClientEventContent {
  static let mark = "proximity"

  var proximity: String
  /// The strength of the signal in dBm; nil when the beacon is out of range.
  var signal: Double?

  enum CodingKeys: String, CodingKey {
    case proximity
    case signal = "signal_dbm"
  }
}

/// The orientation of the phone.
struct OrientationEvent: ClientEventContent {
  static let mark = "orientation"

  var orientation: String
}

/// The user has granted a capability.
struct PermissionEvent: ClientEventContent {
  static let mark = "permission"

  var permission: String
}

/// A period passed without a move.
struct HeartbeatEvent: ClientEventContent {
  static let mark = "heartbeat"

  var heartbeat = true
}

/// The settings of a request that have no effect.
struct NoEffectEvent: ClientEventContent {
  static let mark = "no_effect"

  var settings: [String]

  enum CodingKeys: String, CodingKey { case settings = "no_effect" }
}

/// The state of a task in a session of transfers. The optional members are nil in states to which they do not
/// apply.
struct TaskEvent: ClientEventContent {
  static let mark = "task"

  var task: String
  var state: String
  /// The reason to refuse the task.
  var problem: DaemonMessage.Failure?
  /// The reason to wait.
  var reason: String?
  /// The status of the server's reply.
  var status: Int?
  /// The path of the fetched file.
  var file: String?
  /// The kind of failure.
  var fault: String?
}

/// Every task of a session has ended or waits for credentials.
struct DrainedEvent: ClientEventContent {
  static let mark = "drained"

  var drained = true
}

/// A warning of a probable mistake.
struct WarningEvent: ClientEventContent {
  static let mark = "warning"

  var warning: String
  var code: String
}
