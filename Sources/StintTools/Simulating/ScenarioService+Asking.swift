import StintModel
import StintServices
import StintUnits

extension ScenarioService {
  /// The request with which the scenario's client asks for this service.
  var serviceRequest: any ServiceRequest {
    switch request {
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

  /// The reason to reject the request; nil when it is valid.
  var problem: String? {
    if case .updates(let wants, _) = request, let word = wants.activity,
      !LocationActivity.allCases.contains(where: { $0.word == word })
    {
      let words = LocationActivity.allCases.map(\.word).joined(separator: ", ")
      return "service “\(name)”: unknown activity “\(word)”; use \(words)"
    }
    return serviceRequest.rejectionReason.map { "service “\(name)”: \($0.sentence)" }
  }
}
