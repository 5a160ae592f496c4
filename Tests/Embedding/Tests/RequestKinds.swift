import Stint

/// A kind of request with the permission that it needs. The permission is stated here, independently of
/// Stint.
struct Kind: Sendable, CustomStringConvertible {
  let name: String
  /// The members of the request in a message or a file, without its number and kind.
  let settings: String
  /// The request as an app makes it.
  let request: Request
  let need: PermissionNeed
  /// The device that serves the request in the foreground; nil when no device starts at once.
  var device: DeviceID?
  /// True when the service continues without its app.
  var outlives = false
  /// True when a request with these settings is served in the background.
  var worksInBackground = false
  /// The permissions with which the request runs until its client ends it.
  var running = Decision.allowed

  var description: String { settings.isEmpty ? name : "\(name) \(settings)" }

  /// The call with which an app makes the request.
  enum Request: Sendable {
    case service(@Sendable (Client, String) async throws -> Notices)
    case demand(DemandRequest)
  }

  private init(
    _ name: String, _ settings: String = "", _ request: some ServiceRequest & Sendable,
    _ need: PermissionNeed,
    device: DeviceID? = nil, outlives: Bool = false, worksInBackground: Bool = false,
    running: Decision = .allowed
  ) {
    self.init(
      name, settings, .service { client, id in try await client.ask(id, for: request) }, need, device: device)
    self.outlives = outlives
    self.worksInBackground = worksInBackground
    self.running = running
  }

  private init(
    _ name: String, _ settings: String, _ request: Request, _ need: PermissionNeed, device: DeviceID?
  ) {
    self.name = name
    self.settings = settings
    self.request = request
    self.need = need
    self.device = device
  }

  /// A demand for samples, with the permission for precise positions.
  init(_ name: String, _ settings: String, _ demand: DemandRequest) {
    self.init(name, settings, .demand(demand), .preciseLocation(.whenInUse), device: nil)
  }

  /// A request for one fix of the receiver. The request fails after 60 s without a fix.
  static func fix(background: Bool? = nil) -> Kind {
    let flag = background.map { #","background":\#($0)"# } ?? ""
    let request = FixRequest(
      accuracy: .meters(10), timeout: .seconds(60), maxAge: nil, background: background)
    return Kind(
      "fix", #""accuracy":"10 m","timeout":"60 s"\#(flag)"#, request, .question(.location),
      device: "location.gnss", worksInBackground: background == true)
  }

  private static let dock = BeaconRegion("dock", identity: "dock")
  /// A place next to the walk of the simulated phone.
  static let home = Coordinate(latitude: 47.05, longitude: 8.31)!

  static let all: [Kind] = [
    Kind(
      "updates", #""accuracy":"10 m""#, LocationUpdates(accuracy: .meters(10)), .location(.whenInUse),
      device: "location.gnss"),
    .fix(),
    Kind(
      "samples", #""device":"location.gnss""#, .demand(.samples(of: "location.gnss")),
      .preciseLocation(.whenInUse), device: "location.gnss"),
    Kind(
      "samples", #""device":"motion.accelerometer""#, .demand(.samples(of: "motion.accelerometer")), .motion,
      device: "motion.accelerometer"),
    Kind(
      "motion", #""of":"acceleration","rate":"10 Hz""#,
      MotionRequest(.acceleration, interval: .milliseconds(100)), .motion, device: "motion.accelerometer"),
    Kind("orientation", "", OrientationRequest(isObserved: true), .nothing, device: "motion.accelerometer"),
    Kind(
      "regions", #""regions":[{"name":"home","at":[47.05,8.31],"radius":"200 m"}]"#,
      RegionsRequest([Region("home", centre: home, radius: .meters(200))]), .preciseLocation(.always),
      outlives: true,
      worksInBackground: true),
    Kind(
      "beacons", #""beacons":[{"name":"dock","identity":"dock"}]"#, BeaconsRequest([dock]),
      .preciseLocation(.always), device: "radio.ble", outlives: true, worksInBackground: true),
    Kind(
      "ranging", #""name":"dock","identity":"dock""#, RangingRequest(dock), .preciseLocation(.whenInUse),
      device: "radio.ble", worksInBackground: true),
    Kind(
      "visits", "", VisitsRequest(), .preciseLocation(.always), outlives: true, worksInBackground: true),
    Kind("moves", "", MovesRequest(), .location(.always), outlives: true, worksInBackground: true),
    Kind("transfers", "", TransferConfiguration(), .network, outlives: true, worksInBackground: true),
    Kind(
      "permission", #""capability":"motion","purpose":"to count steps""#,
      PermissionRequest(.motion, purpose: "to count steps"), .question(.motion), worksInBackground: true,
      running: .undecided),
  ]
}

/// The permissions of a client at the time of its request.
struct Decision: Sendable {
  let name: String
  let permissions: Permissions

  static let allowed = Decision(name: "allowed", permissions: .always)
  static let denied = Decision(name: "denied", permissions: .denied)
  static let undecided = Decision(
    name: "undecided",
    permissions: Permissions(location: .undecided, motion: .undecided, network: .undecided))
  static let coarse = Decision(name: "coarse", permissions: Permissions(precision: .coarse))

  static let all = [
    denied, undecided, coarse,
    Decision(name: "when in use", permissions: .whenInUse),
    Decision(name: "no motion", permissions: Permissions(motion: .denied)),
    Decision(name: "no network", permissions: Permissions(network: .denied)),
    allowed,
  ]

  /// The members of the permissions in a message or a file.
  var json: String {
    let location =
      switch permissions.location {
      case .denied: "denied"
      case .undecided: "undecided"
      case .whenInUse: "when_in_use"
      case .always: "always"
      }
    return #"{"location":"\#(location)","precision":"\#(permissions.precision.rawValue)","#
      + #""motion":"\#(permissions.motion.rawValue)","network":"\#(permissions.network.rawValue)"}"#
  }

  /// The expected code of the refusal of a request; nil when it is accepted.
  func refusal(_ need: PermissionNeed) -> String? {
    switch (need, name) {
    case (.nothing, _), (_, "allowed"): nil
    case (.question, "denied"), (.question(.motion), "no motion"): "denied"
    case (.question, _): nil
    case (.motion, "denied"), (.motion, "no motion"): "denied"
    case (.network, "denied"), (.network, "no network"): "denied"
    case (.motion, "undecided"), (.network, "undecided"): "undecided"
    case (.motion, _), (.network, _): nil
    case (_, "denied"): "denied"
    case (_, "undecided"): "undecided"
    case (.preciseLocation, "coarse"): "denied"
    case (.location(.always), "when in use"), (.preciseLocation(.always), "when in use"): "denied"
    default: nil
    }
  }
}
