public import StintModel
public import StintUnits

/// One thing that a client asked for and that goes on for a while: a stream, a watch on a place, a session of
/// transfers. A pure machine: events and instants go in, demands and notices come out.
///
/// A service belongs to one client. Whatever it demands ends with it: the board releases it.
public protocol Service: Sendable {
  /// When it wants a `timer` event by itself; the distant future when never.
  var nextTimer: Instant { get }

  /// Whether it goes on when its client's process is gone, and has the client launched for what it says.
  var outlivesClient: Bool { get }

  /// How policies call it; nil for a service that they have no word for.
  var word: ServiceWord? { get }

  /// What authorisation it needs; it is not begun without it, and ends with a failure when it is taken away.
  var needs: Authorization { get }

  /// At least one of these devices is required; empty means no requirement.
  var devices: [DeviceID] { get }

  /// Whether, when its client ends it, it waits for what its demands still hold; they are released meanwhile.
  var drainsBeforeEnd: Bool { get }

  /// What it adds to facts that all services make together, by path: `orientation.observers`. Only paths of
  /// `ServiceBoard.signalPaths` are looked at, and of those the declared ones.
  var signals: [String: Double] { get }

  /// The greatest age at which its notice counts as current when it is delivered.
  var maxAge: TimeSpan { get }

  /// It was asked for, and may go on.
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox)

  /// Its client, back after its process was gone, asks for it again under the same name; false when that is refused
  /// because it is in use.
  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool

  /// Something happened that concerns it.
  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox)

  /// Its client ended it, or its lease did. Demands need no releasing here.
  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox)
}

extension Service {
  public var nextTimer: Instant { .distantFuture }
  public var word: ServiceWord? { nil }
  public var outlivesClient: Bool { false }
  public var needs: Authorization { .undecided }
  public var devices: [DeviceID] { [] }
  public var signals: [String: Double] { [:] }
  public mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool { false }
  public var drainsBeforeEnd: Bool { false }
  public var maxAge: TimeSpan { LocationDefaults.maxAge }
  public mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
}

/// The name of a service: its client, and what the client calls it.
public struct ServiceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let client: ClientID
  public let name: String

  /// Names a service.
  public init(_ client: ClientID, _ name: String) {
    self.client = client
    self.name = name
  }

  public var description: String { "\(client)/\(name)" }

  public static func < (left: ServiceID, right: ServiceID) -> Bool {
    (left.client.name, left.name) < (right.client.name, right.name)
  }
}

/// A service that a restart must not lose: what it remembers is written down and read back.
public protocol PersistentService: Service {
  /// The word under which it is kept; never changed, or what was kept is lost.
  static var kind: String { get }

  /// All that it needs to go on after a restart.
  var memory: MemoryValue { get }

  /// Takes up what was kept; nil when it cannot be understood.
  init?(memory: MemoryValue)

  /// It goes on after a restart: it demands again what it needs. Its client is not attached yet.
  mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox)
}

extension PersistentService {
  public mutating func resume(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    begin(context, &outbox)
  }
}

/// What a client asks for, as a value; it makes the service that does it.
public protocol ServiceRequest: Sendable {
  /// What is wrong with the request itself, before anything is powered; nil when nothing is.
  var rejectionReason: ServiceFailure? { get }

  /// The service, not begun yet.
  func makeService() -> any Service
}

extension ServiceRequest {
  public var rejectionReason: ServiceFailure? { nil }
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
  func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice
}

extension ServiceNotice {
  public var promisesKeeping: Bool { false }
  public var consequence: (any ServiceOrder)? { nil }
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice { self }
}
