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
  var takesWhatIsHeld: Bool { get }

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
  mutating func take(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox)

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
  public var takesWhatIsHeld: Bool { false }
  public var maxAge: TimeSpan { LocationDefaults.maxAge }
  public mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
}
