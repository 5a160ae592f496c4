/// Asks to be told of arrivals at places that matter and of departures from them, for the whole app: one start is
/// enough, and one end ends it for all receivers.
public struct VisitsRequest: ServiceRequest {
  /// Who in the app is told.
  public var receivers: [String]

  /// Tells these parts of the app.
  public init(receivers: [String] = ["app"]) { self.receivers = receivers }

  public var objection: ServiceFailure? {
    receivers.isEmpty ? ServiceFailure(.invalid, "nobody is to be told; name a receiver") : nil
  }

  public func makeService() -> any Service { VisitsService(receivers: receivers) }
}
