import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct BoardPartsTests {
  private typealias Part = PartContext

  /// A service with chosen interests.
  private struct Plain: Service {
    var interests: ServiceInterests = []
    var nextTimer = Instant.distantFuture
    mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}
    mutating func handle(
      _ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox
    ) {}
  }

  private struct Result: ServiceNotice, Hashable {
    struct Order: ServiceOrder {}
    var number: Int
    var promisesPersistence = false
    var consequence: (any ServiceOrder)? { number < 0 ? Order() : nil }
  }

  private static let first = ServiceID("app", "first")
  private static let second = ServiceID("app", "second")

  // MARK: ServiceTable

  @Test(
    "a `ServiceTable` lists services by name; `handling(_:)` lists only the services with the given interest"
  )
  func order() {
    var table = ServiceTable()
    table.add(Plain(interests: .facts, nextTimer: Part.at(5)), as: Self.second)
    table.add(Plain(), as: Self.first)
    #expect(table.order == [Self.first, Self.second] && table.interests == .facts)
    #expect(table.handling(.facts) == [Self.second] && table.handling(.devices).isEmpty)
    #expect(table.nextTimer == Part.at(5) && table.due(at: Part.at(4)).isEmpty)
    #expect(table.due(at: Part.at(5)) == [Self.second])
    _ = table.remove(Self.second)
    #expect(table.interests == [] && table.of("app") == [Self.first])
  }

  @Test("a demand belongs to its service until the demand ends, and a removed service has no demands")
  func demands() {
    var table = ServiceTable()
    table.add(Plain(interests: .demands), as: Self.first)
    table.add(DemandID(1), of: Self.first)
    table.add(DemandID(2), of: Self.first)
    #expect(table.handles(DemandID(1)) && !table.handles(DemandID(3)))
    let owner = table.forget(DemandID(1))
    #expect(owner == Self.first && table.owner(of: DemandID(1)) == nil)
    table.markEnding(Self.first)
    #expect(!table.isDrained(Self.first))
    _ = table.forget(DemandID(2))
    #expect(table.isDrained(Self.first))
    table.add(DemandID(3), of: Self.first)
    let removed = table.remove(Self.first)
    #expect(removed?.demands == [DemandID(3)] && table.owner(of: DemandID(3)) == nil)
    #expect(!table.isEnding(Self.first))
  }

  // MARK: ClientTable

  @Test("app.state is “foreground” while a client is in the foreground; each change is reported once")
  func appState() throws {
    var clients = ClientTable()
    let schema = FactSchema(path: "app.state", type: .symbol(["foreground", "background"]))
    for name in ["a", "b"] { clients.attach(ClientID(name), .always, mayBackground: true) }
    var changes: [FactValue?] = []
    for (name, presence) in [("a", Presence.background), ("b", .foreground), ("b", .background)] {
      let isChanged = clients.set(presence, of: ClientID(name))
      #expect(isChanged)
      changes.append(clients.changedAppState(schema))
    }
    changes.append(clients.changedAppState(schema))
    #expect(changes == [.symbol(1), .symbol(0), .symbol(1), nil])
  }

  @Test("a client keeps its permissions when it attaches again; a second detachment has no effect")
  func clients() {
    var clients = ClientTable()
    clients.attach("a", .whenInUse, mayBackground: false)
    let detachments = [clients.detach("a"), clients.detach("a"), clients.detach("b")]
    #expect(detachments == [true, false, false])
    clients.attach("a", .always, mayBackground: true)
    #expect(clients["a"]?.permissions == .whenInUse && clients["a"]?.mayBackground == true)
    let asked = [
      clients.markAsked("a", .motion), clients.markAsked("a", .motion), clients.markAsked("a", .network),
    ]
    #expect(asked == [true, false, true])
  }

  // MARK: LaunchTable

  @Test("a client is launched at once, and again after 1, 2 and 4 min, until it attaches")
  func launches() {
    var launches = LaunchTable()
    let added = [
      launches.add("a", .visit, at: Part.at(0)), launches.add("a", .region, at: Part.at(1)),
    ]
    #expect(added == [true, false] && launches.nextTimer == Part.at(60))
    var times: [Instant] = []
    for _ in 0..<3 {
      times.append(launches.nextTimer)
      let due = launches.repeatDue(at: launches.nextTimer)
      #expect(due.map(\.reason) == [.visit])
    }
    #expect(times == [Part.at(60), Part.at(180), Part.at(420)])
    launches.remove("a")
    #expect(launches.isEmpty && launches.nextTimer == .distantFuture)
  }

  // MARK: NoticeStore

  @Test("a notice whose state must be saved first is withheld, with all later output of its service")
  func withheld() {
    var store = NoticeStore()
    let effects: [ServiceEffect] = [
      .notice(Self.first, Result(number: 1)),
      .notice(Self.first, Result(number: 2, promisesPersistence: true)),
      .notice(Self.first, Result(number: 3)), .notice(Self.second, Result(number: 4)),
      .over(Self.first, .finished),
    ]
    let passed = store.withhold(effects, until: 1)
    #expect(passed.count == 2 && store.withheldCount == 3)
    var clients = ClientTable()
    clients.attach("app", .always, mayBackground: true)
    let released = store.release(through: 1, clients) { notice, _ in notice }
    #expect(released.count == 3 && store.withheldCount == 0)
    guard case .over(Self.first, .finished)? = released.last else {
      Issue.record("the end is not last: \(released)")
      return
    }
  }

  @Test("notices of a detached client wait in its queue, and the orders of a removed client are returned")
  func queues() {
    var store = NoticeStore()
    for number in [1, -2, 3] {
      let lost = store.keep(Self.first, Result(number: number))
      #expect(lost == nil)
    }
    let orders = store.removeQueue(of: "app")
    #expect(orders.map(\.id) == [Self.first])
    let rest = store.takeQueue(of: "app")
    #expect(rest.isEmpty)
  }
}
