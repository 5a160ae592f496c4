public import StintModel
public import StintUnits

/// What a service may look at while it takes an event.
public struct ServiceContext: Sendable {
  public let instant: Instant
  public let id: ServiceID
  /// Its client as it stands now.
  public let client: ClientStatus
  let environment: ServiceEnvironment

  /// The fact's value now; unknown when it was never published, or too long ago.
  public func fact(_ path: String) -> FactValue { environment.fact(path, at: instant) }

  /// The fact's declaration; nil when there is none.
  public func schema(_ path: String) -> FactSchema? { environment.vocabulary.schema(path) }

  /// The last value that was said, however old, and when; nil when there was none.
  public func remembered(_ path: String) -> (value: FactValue, at: Instant)? {
    environment.remembered(path)
  }

  /// The names of all devices that say where they are, sorted.
  public var positioningDevices: [DeviceID] { environment.positioning }

  /// Whether the bus has the device, and it can be used.
  public func isAvailable(_ device: DeviceID) -> Bool { environment.isAvailable(device) }

  /// The device's manifest; nil when the bus has no such device.
  public func manifest(_ device: DeviceID) -> Manifest? { environment.vocabulary.manifest(device) }

  /// What policies say of services on a device, or of a service by its word.
  public func defaults(of device: DeviceID) -> DeviceDefaults? {
    environment.defaults.first { $0.device == device }
  }

  /// What policies say of a session of transfers, on whichever radio.
  func defaults(ofSession name: String) -> ServiceDefaults {
    environment.defaults.map(\.services).reduce(ServiceDefaults()) { joined, next in
      next.session == nil || next.session == name ? joined.merged(with: next) : joined
    }
  }

  /// Whether rules let tasks of a session begin that its client did not resume, and whether at once.
  func starts(ofSession name: String) -> (any: Bool, atOnce: Bool) {
    let reaching = environment.starts.values.filter { $0.reaches(name, of: id.client) }
    return (!reaching.isEmpty, reaching.contains(where: \.isAtOnce))
  }

  /// Whether the app that users see is in the background; false while that is unknown.
  public var isInBackground: Bool {
    environment.backgroundState != .unknown && fact("app.state") == environment.backgroundState
  }
}

/// What a service may hear.
public enum ServiceEvent: Sendable {
  /// Samples of the device that serves this demand of it.
  case batch(Batch, DemandID)
  /// A demand of it stands otherwise than before.
  case granted(DemandID, Grant)
  /// A demand of it is over; what was held for it has come.
  case ended(DemandID)
  /// The number of bytes that were through of a transfer that it gave up while it was under way.
  case part(DemandID, bytes: Int64)
  /// A transfer of it is through.
  case carried(DemandID)
  /// A published fact, by its whole path.
  case fact(String, FactValue)
  /// A device said something of itself.
  case device(DeviceID, DeviceEvent)
  /// Memory is short from now on, or is not any more: what can be given up is to be.
  case memory(isLow: Bool)
  /// What its client may do changed.
  case authorization(Authorization)
  /// Its client's process came back, or went.
  case client(isAttached: Bool)
  /// Rules let other tasks of transfers begin than before.
  case starts
  /// Its client tells it something.
  case command(any ServiceCommand)
  /// The instant that it asked for has come.
  case timer
}

/// What a device said of itself.
public enum DeviceEvent: Hashable, Sendable {
  /// The state that it is in now, by name, and whether that is on.
  case state(String, isOn: Bool)
  case available(Bool)
  case fault(String)
}

/// What a service wants done, in order.
public struct ServiceOutbox: Sendable {
  enum Item: Sendable {
    case raise(Demand)
    case release(DemandID)
    case notice(any ServiceNotice)
    case order(any ServiceOrder)
    case launch(LaunchReason)
    case notifyUser(String)
    case wake(DemandID)
    case askUser(String)
    case setHasConsumer(DemandID, Bool)
    case signal(ServiceSignal)
    case finish
    case fail(ServiceFailure)
  }

  let client: ClientID
  var nextDemand: Int64
  /// Which service it is of, as policies call it.
  let mark: ServiceMark?
  private(set) var items: [Item] = []

  init(client: ClientID, nextDemand: Int64, mark: ServiceMark? = nil) {
    self.mark = mark
    self.client = client
    self.nextDemand = nextDemand
  }

  /// Demands something of a device, in the client's name.
  public mutating func raise(_ target: DeviceID, _ wants: DemandSettings = DemandSettings()) -> DemandID {
    let id = DemandID(nextDemand)
    nextDemand += 1
    items.append(.raise(Demand(id: id, client: client, target: target, wants: wants, service: mark)))
    return id
  }

  /// Demands something under a number that the caller chose, which no other demand has or had.
  mutating func raise(_ target: DeviceID, _ wants: DemandSettings, as id: DemandID) {
    items.append(.raise(Demand(id: id, client: client, target: target, wants: wants, service: mark)))
  }

  /// Ends a demand of this service.
  public mutating func release(_ demand: DemandID) { items.append(.release(demand)) }

  /// Tells the client; kept for it while it is away.
  public mutating func notify(_ notice: some ServiceNotice) { items.append(.notice(notice)) }

  /// Sends an order to the process that works in the client's place, such as the one that carries transfers.
  public mutating func order(_ order: some ServiceOrder) { items.append(.order(order)) }

  /// Has the client's process started if it is gone.
  public mutating func launch(_ reason: LaunchReason) { items.append(.launch(reason)) }

  /// Shows the person who carries the device a sentence.
  public mutating func notifyUser(_ sentence: String) { items.append(.notifyUser(sentence)) }

  /// Wakes the processor for a moment on account of one of its demands, for work without any sample.
  public mutating func wake(_ demand: DemandID) { items.append(.wake(demand)) }
  /// Asks the person who carries the device a question in the client's name; a client asks once and never again.
  public mutating func askUser(_ question: String) { items.append(.askUser(question)) }

  /// Tells whether anybody takes what a demand of it brings; everything is heard until this says otherwise.
  public mutating func setHasConsumer(_ demand: DemandID, _ isOutputOpen: Bool) {
    items.append(.setHasConsumer(demand, isOutputOpen))
  }

  /// Says something to policies that is true at this moment only.
  public mutating func signal(_ signal: ServiceSignal) { items.append(.signal(signal)) }

  /// The service is done; its demands end with it.
  public mutating func finish() { items.append(.finish) }

  /// Ends the service, because it cannot go on: its client gets the failure once, and its demands end.
  public mutating func fail(_ failure: ServiceFailure) { items.append(.fail(failure)) }
}
