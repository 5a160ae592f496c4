public import StintUnits

/// What a client asks for, as a value; it makes the service that does it.
public protocol ServiceRequest: Sendable {
  /// What is wrong with the request itself, before anything is powered; nil when nothing is.
  var objection: ServiceFailure? { get }

  /// The service, not begun yet.
  func makeService() -> any Service
}

extension ServiceRequest {
  public var objection: ServiceFailure? { nil }
}

/// What a client tells a service that stands: read the latest value, defer again, resume a task.
public protocol ServiceCommand: Sendable {
  /// Whether it says what was done in the client's place, so that it counts while the client is away.
  var isReport: Bool { get }
}

extension ServiceCommand {
  public var isReport: Bool { false }
}

/// An order of a service to a process that works in the client's place. It is sent whether the client is
/// attached or not.
public protocol ServiceOrder: Sendable {}

/// What a service tells its client.
public protocol ServiceNotice: Sendable {
  /// Whether it promises that something outlives this process; then it is delivered after that is saved.
  var promisesKeeping: Bool { get }
  /// The order to carry out after the client got the notice; nil when there is none.
  var consequence: (any ServiceOrder)? { get }
  /// The notice as it is handed over at an instant after it was said: what is older than `maxAge` by then, and was said
  /// as current, says that it is old.
  func judged(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice
}

extension ServiceNotice {
  public var promisesKeeping: Bool { false }
  public var consequence: (any ServiceOrder)? { nil }
  public func judged(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice { self }
}
