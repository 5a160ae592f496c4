public import StintUnits

/// A service that an app of a scenario or of a site file requests from `from` to `until`. The process of the
/// app runs during the whole scenario.
public struct ScenarioService: Sendable {
  /// The client's name for the request.
  public var name: String
  /// The request.
  public var request: any ClientRequest
  /// The time from the start of the scenario to the beginning of the request.
  public var from: TimeSpan
  /// The time from the start of the scenario to the end of the request; nil for the whole scenario.
  public var until: TimeSpan?

  /// Makes a service request.
  public init(
    name: String, request: any ClientRequest, from: TimeSpan = .zero, until: TimeSpan? = nil
  ) {
    self.name = name
    self.request = request
    self.from = from
    self.until = until
  }
}

extension ScenarioService: Equatable {
  public static func == (left: ScenarioService, right: ScenarioService) -> Bool {
    left.name == right.name && AnyHashable(left.request) == AnyHashable(right.request)
      && left.from == right.from && left.until == right.until
  }
}
