import StintDaemon
import StintModel
import StintRuntime
public import StintServices
public import StintUnits

/// Why the requests of a client for a device are not served now, until when, and what would help.
/// `Client.outlook(for:)` returns it.
public struct RequestOutlook: Hashable, Sendable, CustomStringConvertible {
  /// A reason why the device does not serve the client.
  public enum Obstacle: Hashable, Sendable {
    /// The client has no request that needs the device now. A request that waits for a decision of the user
    /// counts as a request.
    case noRequest
    /// The request with this name, such as location updates, has paused itself. The `ServicePause` gives the
    /// reason and the events that continue the request. `until` is the time of the bus at which the request
    /// checks the position again, or makes its next attempt.
    case paused(request: String, ServicePause, until: Duration)
    /// The client lacks a permission for the samples of the device, for this reason.
    case notPermitted(reason: String)
    /// The client is in the background, and its request was made without `background: true`.
    case background
    /// The device is missing or has failed, and no other device can serve the request.
    case unavailable(device: String)
    /// A fact has the value `present`; the nearest value that would help is `needed`.
    case fact(String, present: AppFact.Value, needed: AppFact.Value)
    /// A directive of the named rule, such as `hiking/still`, applies until this time of the bus; nil when
    /// the end of the directive is unknown.
    case rule(String, until: Duration?)
  }

  /// True when the device, or another device in its place, serves the client now. `obstacles` is empty then.
  public let isServed: Bool
  /// The obstacles. The client is served only when all of them are removed. Empty when the client only has to
  /// wait, or when the reason is unknown.
  public let obstacles: [Obstacle]
  /// The time of the bus, since 1970-01-01T00:00:00Z, at which the client is served if no fact and no request
  /// changes; nil when there is no such time, or when it is unknown.
  public let expected: Duration?
  /// The earliest time of the bus at which the client can be served if the obstacles are removed now; nil
  /// when it is unknown.
  public let earliest: Duration?
  /// The reasons as lines of text, as in the output of `stint why-not`.
  public let description: String

  init(_ outlook: ClientOutlook) {
    let report = outlook.report
    isServed = report.happens
    earliest = outlook.earliest.map(Self.time)
    expected = outlook.expected.map(Self.time)
    description = report.text
    obstacles = report.obstacles.map { obstacle in
      switch obstacle {
      case .demand: .noRequest
      case .paused(let service):
        .paused(request: service.id.name, service.pause, until: Self.time(service.pause.next))
      case .permission(let reason): .notPermitted(reason: reason)
      case .background: .background
      case .missing(let device): .unavailable(device: device.path)
      case .fact(let path, let present, let needed):
        .fact(path, present: report.value(present, of: path), needed: report.value(needed, of: path))
      case .directive(let rule, let end): .rule(rule.description, until: end.map(Self.time))
      }
    }
  }

  private static func time(_ instant: Instant) -> Duration { .nanoseconds(instant.nanoseconds) }
}

extension WhyNotReport {
  fileprivate func value(_ value: FactValue, of path: String) -> AppFact.Value {
    type(of: path).map { AppFact.Value(value, of: $0) } ?? .unknown
  }
}

extension Client {
  /// Returns why the requests of this client for a device are not served now, until when, and what would
  /// help. These requests are the demands of the client and of its services. The call takes longer than a
  /// query of the status, because it tries changes of facts on a copy of the governor.
  ///
  /// - Parameter device: the name of a device, such as `location.gnss`.
  /// - Throws: `Problem`: `noSuchDevice` when no device has this name, or when the device is of kind `source`
  ///   and so serves no requests; `detached`, `closed`.
  public func outlook(for device: String) async throws(Problem) -> RequestOutlook {
    try await bus.serve(self) { (_) throws(Problem) in try await bus.outlook(for: device, of: id) }
  }
}
