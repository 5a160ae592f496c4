public import StintModel
import StintUnits

extension ScenarioService.Request {
  /// The request to the board for this entry of a scenario, a site or a client program.
  public var serviceRequest: any ServiceRequest {
    switch self {
    case .fix(let wants, let timeout):
      FixRequest(
        accuracy: wants.accuracy, timeout: timeout ?? LocationDefaults.timeout,
        background: wants.background ?? false)
    case .updates(let wants, let filter):
      LocationUpdates(
        accuracy: wants.accuracy, filter: filter, period: wants.period,
        activity: LocationActivity.allCases.first { $0.word == wants.activity } ?? .other,
        background: wants.background ?? false, pausing: wants.pausing ?? true)
    case .regions(let circles):
      RegionsRequest(circles.map { Region($0.name, centre: $0.centre, radius: $0.radius) })
    case .beacons(let beacons):
      BeaconsRequest(
        beacons.map { BeaconRegion($0.name, identity: $0.identity, major: $0.major, minor: $0.minor) })
    case .visits: VisitsRequest()
    case .moves(let heartbeat): MovesRequest(heartbeat: heartbeat)
    }
  }

}

extension ScenarioService {
  /// The reason to reject the entry; nil when it is valid.
  public var problem: String? {
    if case .updates(let wants, _) = request, let word = wants.activity,
      !LocationActivity.allCases.contains(where: { $0.word == word })
    {
      let words = LocationActivity.allCases.map(\.word).joined(separator: ", ")
      return "service “\(name)”: unknown activity “\(word)”; use \(words)"
    }
    return request.serviceRequest.rejectionReason.map { "service “\(name)”: \($0.sentence)" }
  }
}
