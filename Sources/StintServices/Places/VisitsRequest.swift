import StintModel
public import StintUnits

/// A request for notices of arrivals at places where the user stays, and of departures.
///
/// The request applies to the whole app: one request starts the notices for all receivers, and one end stops
/// them for all receivers.
public struct VisitsRequest: NamedRequest {
  /// The parts of the app that get the notices.
  public var receivers: [String]

  /// Makes a request for these receivers.
  public init(receivers: [String] = ["app"]) { self.receivers = receivers }

  public var rejectionReason: ServiceFailure? {
    if receivers.isEmpty { return ServiceFailure(.invalid, "there is no receiver; name one") }
    return receivers.lazy.compactMap { InputBounds.rejectionReason(forName: $0) }.first.map {
      ServiceFailure(.invalid, $0)
    }
  }

  public func makeService() -> any Service { VisitsService(receivers: receivers) }
}

extension VisitsRequest {
  public static let kind = "visits"

  enum CodingKeys: CodingKey {}

  public init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
  }
}

/// A stay at a place.
public struct Visit: Hashable, Sendable, Codable {
  /// The position of the place.
  public var place: Coordinate
  /// The 95 % radius of the place in metres.
  public var accuracy: Double
  /// The beginning of the stay; the notice follows some minutes later.
  public var arrival: Instant
  /// The end of the stay; nil while it continues.
  public var departure: Instant?

  /// Makes a visit.
  public init(place: Coordinate, accuracy: Double, arrival: Instant, departure: Instant? = nil) {
    self.place = place
    self.accuracy = accuracy
    self.arrival = arrival
    self.departure = departure
  }
}

/// A command of an app to its visit monitoring.
public enum VisitCommand: ServiceCommand, Hashable {
  /// Adds a receiver: another part of the app that gets the notices.
  case listen(String)
}

/// A notice of visit monitoring to each receiver of the app.
public enum VisitNotice: PersistentNotice, Hashable {
  public static let kind = "visit"

  /// A visit began; its `departure` is nil.
  case arrived(Visit, receiver: String)
  /// A visit ended; its `departure` is set.
  case departed(Visit, receiver: String)

  public var coarsened: any ServiceNotice {
    func coarse(_ visit: Visit) -> Visit {
      var copy = visit
      (copy.place, copy.accuracy) = visit.place.coarsened(visit.accuracy)
      return copy
    }
    return switch self {
    case .arrived(let visit, let receiver): VisitNotice.arrived(coarse(visit), receiver: receiver)
    case .departed(let visit, let receiver): VisitNotice.departed(coarse(visit), receiver: receiver)
    }
  }
}
