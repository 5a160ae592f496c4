public import StintUnits

/// The events of a script in order of time. At one instant, changes of facts precede the actions of clients.
/// Facts are in the order of the file. Actions are in the order of the clients; for each client, demands
/// precede transfers, and transfers precede services.
///
/// Only the next event of each series is in memory, even for a long run. Demand ids start at 1, in the order
/// in which the demands begin. Events at or after the end of the script are omitted.
public struct ScriptEvents: Sequence, IteratorProtocol, Sendable {
  private let script: ClientScript
  private let end: TimeSpan
  /// A heap with the earliest cursor first.
  private var cursors: [ScriptCursor] = []
  private var nextDemand: Int64 = 1
  private var pending: [ScriptEvent] = []

  /// Starts at the beginning of a script.
  public init(_ script: ClientScript) {
    self.script = script
    self.end = script.duration
    var order = 0
    for (index, change) in script.changes.enumerated() {
      add(.change(index), at: change.at, order: &order)
    }
    for (index, client) in script.clients.enumerated() {
      for (place, demand) in client.demands.enumerated() {
        add(.demand(client: index, place), at: demand.from, order: &order)
      }
      for (place, series) in client.transfers.enumerated() {
        add(.transfer(client: index, place, number: 0), at: series.first, order: &order)
      }
      for (place, service) in client.services.enumerated() {
        add(.service(client: index, place), at: service.from, order: &order)
      }
    }
  }

  /// Returns the next event; nil when no event remains before the end of the script.
  public mutating func next() -> ScriptEvent? {
    if let event = pending.popLast() { return event }
    while let cursor = popFirst() {
      guard cursor.at < end else { return nil }
      if let event = event(of: cursor) { return event }
    }
    return nil
  }

  private mutating func event(of cursor: ScriptCursor) -> ScriptEvent? {
    let at = script.start + cursor.at
    switch cursor.kind {
    case .change(let index):
      pending = script.changes[index].values.reversed().map { ScriptEvent(at: at, action: .set($0)) }
      return pending.popLast()
    case .demand(let client, let place):
      let demand = script.clients[client].demands[place]
      let id = makeDemandID()
      if let until = demand.until {
        let release = ScriptCursor.Kind.release(client: client, id)
        push(ScriptCursor(at: until, order: cursor.order, kind: release))
      }
      let raised = Demand(
        id: id, client: script.clients[client].name, target: demand.target, wants: demand.wants)
      return ScriptEvent(at: at, action: .raise(raised))
    case .release(let client, let id):
      return ScriptEvent(at: at, action: .release(script.clients[client].name, id))
    case .service(let client, let place):
      let service = script.clients[client].services[place]
      if let until = service.until {
        push(ScriptCursor(at: until, order: cursor.order, kind: .end(client: client, place)))
      }
      return ScriptEvent(at: at, action: .ask(script.clients[client].name, service))
    case .end(let client, let place):
      let client = script.clients[client]
      return ScriptEvent(at: at, action: .end(client.name, client.services[place].name))
    case .transfer(let client, let place, let number):
      return transfer(client, place, number, cursor)
    }
  }

  private mutating func transfer(
    _ client: Int, _ place: Int, _ number: Int, _ cursor: ScriptCursor
  ) -> ScriptEvent? {
    let series = script.clients[client].transfers[place]
    guard number < series.count ?? (series.every == nil ? 1 : .max) else { return nil }
    if let every = series.every, every > .zero {
      let next = ScriptCursor.Kind.transfer(client: client, place, number: number + 1)
      push(ScriptCursor(at: cursor.at + every, order: cursor.order, kind: next))
    }
    let demand = Demand(
      id: makeDemandID(), client: script.clients[client].name, target: series.target,
      wants: DemandSettings(transfer: series.transfer))
    return ScriptEvent(at: script.start + cursor.at, action: .raise(demand))
  }

  private mutating func makeDemandID() -> DemandID {
    defer { nextDemand += 1 }
    return DemandID(nextDemand)
  }

  private mutating func add(_ kind: ScriptCursor.Kind, at time: TimeSpan, order: inout Int) {
    push(ScriptCursor(at: time, order: order, kind: kind))
    order += 1
  }

  private mutating func push(_ cursor: ScriptCursor) {
    cursors.append(cursor)
    var child = cursors.count - 1
    while child > 0, cursors[child] < cursors[(child - 1) / 2] {
      cursors.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func popFirst() -> ScriptCursor? {
    guard let last = cursors.popLast() else { return nil }
    guard let first = cursors.first else { return last }
    cursors[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in (2 * parent + 1)...(2 * parent + 2)
      where child < cursors.count && cursors[child] < cursors[least] {
        least = child
      }
      if least == parent { return first }
      cursors.swapAt(parent, least)
      parent = least
    }
  }
}

/// An event of a script.
public struct ScriptEvent: Equatable, Sendable {
  /// The action of an event.
  public enum Action: Equatable, Sendable {
    /// Sets a fact to a value, as the file spells it.
    case set(FactAssignment)
    /// A client raises a demand for samples or for one transfer.
    case raise(Demand)
    /// A client releases a demand.
    case release(ClientID, DemandID)
    /// A client starts a service.
    case ask(ClientID, ScenarioService)
    /// A client ends the service of this name.
    case end(ClientID, String)
  }

  /// The instant of the event.
  public var at: Instant
  /// The action at that instant.
  public var action: Action
}

/// The next event of one series of events of a script.
struct ScriptCursor: Comparable, Sendable {
  /// The kind of the series, with its indexes in the lists of the script.
  enum Kind: Hashable, Sendable {
    case change(Int)
    case demand(client: Int, Int)
    case release(client: Int, DemandID)
    case service(client: Int, Int)
    case end(client: Int, Int)
    case transfer(client: Int, Int, number: Int)
  }

  /// The time of the next event since the start of the script.
  let at: TimeSpan
  /// The rank of the series among series that have an event at the same time.
  let order: Int
  let kind: Kind

  static func < (left: ScriptCursor, right: ScriptCursor) -> Bool {
    (left.at, left.order) < (right.at, right.order)
  }
}
