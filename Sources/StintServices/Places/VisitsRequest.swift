/// Asks for notices of arrivals at places that matter and of departures from them. It holds for the whole
/// app: one start is enough, and one end ends it for all receivers.
public struct VisitsRequest: ServiceRequest {
  /// The parts of the app that get the notices.
  public var receivers: [String]

  /// Tells these parts of the app.
  public init(receivers: [String] = ["app"]) { self.receivers = receivers }

  public var objection: ServiceFailure? {
    receivers.isEmpty ? ServiceFailure(.invalid, "there is no receiver; name one") : nil
  }

  public func makeService() -> any Service { VisitsService(receivers: receivers) }
}
