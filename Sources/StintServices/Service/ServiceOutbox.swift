public import StintModel

/// What a service wants done, in order.
public struct ServiceOutbox: Sendable {
  enum Item: Sendable {
    case raise(Demand)
    case release(DemandID)
    case notice(any ServiceNotice)
    case order(any ServiceOrder)
    case launch(LaunchReason)
    case tellUser(String)
    case wake(DemandID)
    case askUser(String)
    case hear(DemandID, Bool)
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
  public mutating func raise(_ target: DeviceID, _ wants: Wants = Wants()) -> DemandID {
    let id = DemandID(nextDemand)
    nextDemand += 1
    items.append(.raise(Demand(id: id, client: client, target: target, wants: wants, service: mark)))
    return id
  }

  /// Demands something under a number that the caller chose, which no other demand has or had.
  mutating func raise(_ target: DeviceID, _ wants: Wants, as id: DemandID) {
    items.append(.raise(Demand(id: id, client: client, target: target, wants: wants, service: mark)))
  }

  /// Ends a demand of this service.
  public mutating func release(_ demand: DemandID) { items.append(.release(demand)) }

  /// Tells the client; kept for it while it is away.
  public mutating func tell(_ notice: some ServiceNotice) { items.append(.notice(notice)) }

  /// Sends an order to the process that works in the client's place, such as the one that carries transfers.
  public mutating func order(_ order: some ServiceOrder) { items.append(.order(order)) }

  /// Has the client's process started if it is gone.
  public mutating func launch(_ reason: LaunchReason) { items.append(.launch(reason)) }

  /// Shows the person who carries the device a sentence.
  public mutating func tellUser(_ sentence: String) { items.append(.tellUser(sentence)) }

  /// Wakes the processor for a moment on account of one of its demands, for work without any sample.
  public mutating func wake(_ demand: DemandID) { items.append(.wake(demand)) }
  /// Asks the person who carries the device a question in the client's name; a client asks once and never again.
  public mutating func askUser(_ question: String) { items.append(.askUser(question)) }

  /// Tells whether anybody takes what a demand of it brings; everything is heard until this says otherwise.
  public mutating func hear(_ demand: DemandID, _ isHeard: Bool) { items.append(.hear(demand, isHeard)) }

  /// Says something to policies that is true at this moment only.
  public mutating func signal(_ signal: ServiceSignal) { items.append(.signal(signal)) }

  /// The service is done; its demands end with it.
  public mutating func finish() { items.append(.finish) }

  /// Ends the service, because it cannot go on: its client gets the failure once, and its demands end.
  public mutating func fail(_ failure: ServiceFailure) { items.append(.fail(failure)) }
}
