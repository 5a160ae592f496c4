public import StintUnits

/// Asks for notices of arrivals at places that matter and of departures from them. It holds for the whole
/// app: one start is enough, and one end ends it for all receivers.
public struct VisitsRequest: ServiceRequest {
  /// The parts of the app that get the notices.
  public var receivers: [String]

  /// Tells these parts of the app.
  public init(receivers: [String] = ["app"]) { self.receivers = receivers }

  public var rejectionReason: ServiceFailure? {
    receivers.isEmpty ? ServiceFailure(.invalid, "there is no receiver; name one") : nil
  }

  public func makeService() -> any Service { VisitsService(receivers: receivers) }
}

/// A stay at a place that mattered.
public struct Visit: Hashable, Sendable {
  public var place: Coordinate
  /// 95 % radius of the place in metres.
  public var accuracy: Double
  /// When it began; the notice comes some minutes later.
  public var arrival: Instant
  /// When it ended; nil while it goes on.
  public var departure: Instant?

  /// Makes a visit.
  public init(place: Coordinate, accuracy: Double, arrival: Instant, departure: Instant? = nil) {
    self.place = place
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
  }
}

/// What an app tells its watch on visits.
public enum VisitCommand: ServiceCommand, Hashable {
  /// Adds a receiver: another part of the app that gets the notices too.
  case listen(String)
}

/// What the watch on visits tells each receiver of the app.
public enum VisitNotice: ServiceNotice, Hashable {
  case arrived(Visit, receiver: String)
  case departed(Visit, receiver: String)
}
