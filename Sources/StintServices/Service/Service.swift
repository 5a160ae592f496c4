public import StintModel
public import StintUnits

/// A continuing request of a client: a stream, the monitoring of regions, a session of transfers. A service
/// is a value: its inputs are events and instants, its outputs are demands and notices.
///
/// A service belongs to one client. When the service ends, the board releases all its demands.
public protocol Service: Sendable {
  /// The instant at which the service needs a `timer` event. The distant future when the service needs no
  /// such event.
  var nextTimer: Instant { get }

  /// Whether the service continues when its client's process has ended, and launches the client to
  /// deliver notices.
  var outlivesClient: Bool { get }

  /// The name of the service in policies; nil for a service that policies cannot name.
  var word: ServiceWord? { get }

  /// Returns the permission that the client needs. A request without this permission is rejected. When the
  /// permission is withdrawn, the service ends with a failure.
  func need(_ roles: DeviceRoles) -> PermissionNeed

  /// At least one device with this role is required; nil means no requirement.
  var role: DeviceRole? { get }

  /// Returns the devices that the service may use, the preferred one first. At least one must be available;
  /// an empty array without a `role` means no requirement. By default, the devices of `role`.
  func candidates(_ roles: DeviceRoles) -> [DeviceID]

  /// Whether the service still waits for the samples of its released demands after its client has ended it.
  var drainsBeforeEnd: Bool { get }

  /// The type of the commands that the service accepts; nil when it accepts none. Commands of other types
  /// are refused.
  var commandType: (any ServiceCommand.Type)? { get }

  /// Returns the reason to refuse a command in the present state of the service; nil to accept the command.
  /// For example, the service refuses a command to a task that has ended, or a command with an invalid
  /// number. The board does not pass on a refused command. By default nil.
  func rejectionReason(of command: any ServiceCommand) -> ServiceFailure?

  /// The reason why the service has paused itself, and the events that continue it. Nil while the service has
  /// not paused itself. By default nil.
  var pause: ServicePause? { get }

  /// The kinds of events that the service handles in addition to the events that every service gets. Every
  /// service gets commands, changes of its client, the end of a demand, low memory and timers. The set must
  /// not change while the service exists.
  var interests: ServiceInterests { get }

  /// Whether batches that wait for the service may arrive as one batch that contains the samples of all these
  /// batches. True only for a service whose result does not depend on how samples are divided into batches.
  var joinsBatches: Bool { get }

  /// The contribution of the service to the lasting signals, by path, for example `orientation.observers`.
  /// A lasting signal is a fact whose value is the sum of the contributions of all services. Only the paths
  /// in `ServiceBoard.signalPaths` are used.
  var signals: [String: Double] { get }

  /// The largest age at which a notice counts as current on delivery.
  var maxAge: TimeSpan { get }

  /// Begins the service after its request was accepted.
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox)

  /// Handles a second request under the name of this service, for example from a client whose process
  /// has restarted.
  ///
  /// - Returns: false when the request is refused because the service is in use.
  mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool

  /// Handles an event of the service.
  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox)

  /// Handles the end of the service: its client or its rule ended it, or its client detached. The board then
  /// releases the demands.
  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox)
}

extension Service {
  public var nextTimer: Instant { .distantFuture }
  public var word: ServiceWord? { nil }
  public var outlivesClient: Bool { false }
  public func need(_ roles: DeviceRoles) -> PermissionNeed { .nothing }
  public var role: DeviceRole? { nil }
  public func candidates(_ roles: DeviceRoles) -> [DeviceID] { role.map(roles.devices) ?? [] }
  public var commandType: (any ServiceCommand.Type)? { nil }
  public func rejectionReason(of command: any ServiceCommand) -> ServiceFailure? { nil }
  public var pause: ServicePause? { nil }
  public var interests: ServiceInterests { .all }
  public var joinsBatches: Bool { false }
  public var signals: [String: Double] { [:] }
  public mutating func rejoin(
    _ request: any ServiceRequest, _ context: ServiceContext, _ outbox: inout ServiceOutbox
  ) -> Bool { false }
  public var drainsBeforeEnd: Bool { false }
  public var maxAge: TimeSpan { LocationDefaults.maxAge.timeSpan }
  public mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
}

/// Kinds of events that a service may handle. A service gets no events of other kinds, which saves steps.
public struct ServiceInterests: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Published facts. A service without this interest must not read facts.
  public static let facts = ServiceInterests(rawValue: 1)
  /// States and faults of devices.
  public static let devices = ServiceInterests(rawValue: 2)
  /// Samples and grants of the demands of the service.
  public static let demands = ServiceInterests(rawValue: 4)
  /// All kinds.
  public static let all: ServiceInterests = [.facts, .devices, .demands]
}

/// The name of a service: its client, and the name that the client chose.
public struct ServiceID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The client of the service.
  public let client: ClientID
  /// The name that the client chose.
  public let name: String

  /// Makes a service name.
  public init(_ client: ClientID, _ name: String) {
    self.client = client
    self.name = name
  }

  public var description: String { "\(client)/\(name)" }

  public static func < (left: ServiceID, right: ServiceID) -> Bool {
    (left.client.name, left.name) < (right.client.name, right.name)
  }
}

/// A request of a client. A request is a value that makes its service.
public protocol ServiceRequest: Sendable {
  /// The reason to reject the request itself, before any device is powered; nil when the request is valid.
  var rejectionReason: ServiceFailure? { get }

  /// Returns the reason to reject the request on the devices that exist; nil when the request is valid.
  func rejectionReason(on vocabulary: Vocabulary) -> ServiceFailure?

  /// True when the service works only with a process that carries out its orders.
  var needsCarrier: Bool { get }

  /// True when the service works only for a client that declares background use.
  var needsBackground: Bool { get }

  /// Makes the service without beginning it.
  func makeService() -> any Service
}

extension ServiceRequest {
  public var rejectionReason: ServiceFailure? { nil }
  public func rejectionReason(on vocabulary: Vocabulary) -> ServiceFailure? { nil }
  public var needsCarrier: Bool { false }
  public var needsBackground: Bool { false }
}

/// A request that files and messages can name by its kind.
public protocol NamedRequest: ServiceRequest, ClientRequest {
  /// The type that decodes the commands of a message to the running service.
  associatedtype Message: CommandMessage = NoCommands
}

/// A type that decodes a command of a client from a message.
public protocol CommandMessage: Decodable, Sendable {
  /// The commands to the service, in order.
  var commands: [any ServiceCommand] { get }
}

/// The `CommandMessage` of services that accept no commands; decoding it always fails.
public struct NoCommands: CommandMessage {
  public var commands: [any ServiceCommand] { [] }

  /// Throws a `Problem`.
  public init(from decoder: any Decoder) throws {
    throw Problem(
      .value, cause: "a request of this kind accepts no commands", remedy: "end it and request it again")
  }
}

extension RequestKinds {
  /// All kinds that are part of Stint, for sites, scenarios and client programs.
  public static let all = RequestKinds([
    FixRequest.self, LocationUpdates.self, RegionsRequest.self, BeaconsRequest.self, VisitsRequest.self,
    RangingRequest.self, MovesRequest.self, MotionRequest.self, OrientationRequest.self,
    PermissionRequest.self, RawSamples.self, TransferConfiguration.self,
  ])
}

extension RequestKinds {
  /// The types that decode the commands to the requests of these kinds.
  package var commandTypes: [any CommandMessage.Type] {
    func type<Request: NamedRequest>(of _: Request.Type) -> any CommandMessage.Type { Request.Message.self }
    return names.compactMap { self[$0] as? any NamedRequest.Type }.map { type(of: $0) }
  }
}

/// A command of a client to a running service, for example to read the latest value.
public protocol ServiceCommand: Sendable {
  /// True for a report of a process that works on behalf of the client. The board accepts reports while the
  /// client is detached.
  var isReport: Bool { get }
  /// True for a command that is accepted only from an app that declares background use. By default false.
  var needsBackground: Bool { get }
}

extension ServiceCommand {
  public var isReport: Bool { false }
  public var needsBackground: Bool { false }
}

/// An order of a service to a process that works on behalf of the client. Orders are sent even while the
/// client is detached.
public protocol ServiceOrder: Sendable {}

/// A notice of a service to its client.
public protocol ServiceNotice: Sendable {
  /// True when the notice promises that some state survives the end of this process. The notice is then
  /// delivered only after this state is saved.
  var promisesPersistence: Bool { get }
  /// The order to carry out after the client has read the notice; nil without an order.
  var consequence: (any ServiceOrder)? { get }
  /// Returns the notice for delivery at an instant. Data that was current but has become older than `maxAge`
  /// is marked as old.
  func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice
  /// The notice for a client that may get only coarse positions. A notice with positions must implement it.
  var coarsened: any ServiceNotice { get }
}

extension ServiceNotice {
  public var promisesPersistence: Bool { false }
  public var consequence: (any ServiceOrder)? { nil }
  public func withAge(at instant: Instant, maxAge: TimeSpan) -> any ServiceNotice { self }
  public var coarsened: any ServiceNotice { self }
}
