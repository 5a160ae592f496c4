import StintGovernor
import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

@testable import StintLab
@testable import StintTools

/// Tests that `ServiceWatch` reports each kind of deliberate violation.
@Suite struct ServiceWatchTests {
  private static let start = Instant(nanoseconds: 1_778_918_400_000_000_000)
  private static let id = ServiceID("app", "s")
  private let watch: ServiceWatch

  init() throws { watch = ServiceWatch(start: Self.start, manifests: try ReferencePhone.manifests()) }

  private func at(_ second: Int64) -> Instant { Self.start + .seconds(second) }

  /// Attaches a client that requests a service at second 0.
  private func ask(_ request: any ServiceRequest) {
    watch.record([.attach("app", permissions: .always, mayBackground: true)], at: at(0))
    watch.record([.ask(Self.id, request, receivers: .both)], at: at(0))
  }

  private func tell(_ notices: (Int64, any ServiceNotice)...) {
    for (second, notice) in notices { watch.served(.notice(Self.id, notice), at: at(second)) }
  }

  /// Inspects a board that runs the requested service; an empty board when `request` is nil.
  private func look(_ second: Int64, _ request: (any ServiceRequest)?) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    var board = ServiceBoard(vocabulary, at: at(0))
    var inputs = [ServiceInput.attach("app", permissions: .always, mayBackground: true)]
    if let request { inputs.append(.ask(Self.id, request, receivers: .both)) }
    _ = board.step(inputs, at: at(0))
    watch.inspect(board, Governor(vocabulary: vocabulary, at: at(0)), at: at(second))
  }

  private var rules: [BrokenInvariant.Rule] { watch.broken.map(\.rule) }

  private func fix(_ second: Int64, cached: Bool = false) throws -> Fix {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    return Fix(
      instant: at(second), coordinate: place, accuracy: 5, device: "location.gnss", isCached: cached)
  }

  private static func governor() throws -> Governor {
    Governor(vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()), at: .epoch)
  }

  @Test("a service that had ended may repeat a notice when an older saved state restores the service")
  func revived() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    var visit = Visit(place: place, accuracy: 10, arrival: at(10))
    visit.departure = at(30)
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    watch.lose(isBehind: true, at: at(20))
    let content = #"{"services": {"services": [{"client": "app", "name": "s", "state": {}}]}}"#
    var board = ServiceBoard(vocabulary, at: at(20))
    _ = board.step(
      [
        .attach("app", permissions: .always, mayBackground: true),
        .ask(Self.id, VisitsRequest(), receivers: .both),
      ], at: at(20))
    watch.recalled(Array(content.utf8), board, at: at(20))
    ask(VisitsRequest())
    tell((31, VisitNotice.departed(visit, receiver: "app")))
    #expect(rules.isEmpty)
  }

  @Test(
    "the failure of a service that ended while its client was away does not end the next accepted service")
  func failureOfBefore() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    var visit = Visit(place: place, accuracy: 10, arrival: at(10))
    ask(VisitsRequest())
    tell((0, ServiceFailure(.denied, "the user does not allow it")))
    watch.served(.accepted(Self.id), at: at(0))
    tell((20, VisitNotice.arrived(visit, receiver: "app")))
    watch.record([.ask(Self.id, VisitsRequest(), receivers: .both)], at: at(25))
    watch.served(.refused(Self.id, ServiceFailure(.duplicate, "it is there already")), at: at(25))
    visit.departure = at(30)
    tell((31, VisitNotice.departed(visit, receiver: "app")))
    #expect(rules.isEmpty)
    tell((32, VisitNotice.departed(visit, receiver: "app")))
    #expect(rules == [.notices])
  }

  @Test("a service is still watched after one of its commands was refused")
  func refusedCommand() {
    ask(TransferConfiguration())
    tell((1, TransferNotice.accepted("map")))
    watch.served(.refusedCommand(Self.id, ServiceFailure(.over, "there is no task “log”")), at: at(2))
    tell((3, TransferNotice.finished("map", file: nil)))
    #expect(rules.isEmpty)
    tell((4, TransferNotice.finished("map", file: nil)))
    #expect(rules == [.tasks])
  }

  @Test("a pause without position probes, and a resumption that follows no pause, are violations")
  func pauses() throws {
    let updates = LocationUpdates(accuracy: .meters(10))
    ask(updates)
    tell((100, LocationNotice.paused))
    let probe = Demand(id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings())
    watch.demanded(probe, by: Self.id, at: at(900))
    try look(1800, updates)
    #expect(rules.isEmpty)
    try look(1900, updates)
    #expect(rules == [.probesWhilePaused])
    tell((1901, LocationNotice.resumed))
    try look(9000, updates)
    #expect(rules == [.probesWhilePaused])
    tell((9001, LocationNotice.resumed))
    #expect(rules == [.probesWhilePaused, .notices])
  }

  @Test("a deferral that ends late, twice or never is a violation")
  func deferrals() throws {
    let updates = LocationUpdates(accuracy: .meters(10))
    ask(updates)
    func deferral(_ number: Int, _ seconds: Int64) {
      watch.record(
        [.command(Self.id, LocationCommand.deferUpdates(number, time: .seconds(seconds)))], at: at(0))
    }
    deferral(1, 60)
    tell((60, LocationNotice.deferralEnded(1, .full)))
    #expect(rules.isEmpty)
    tell((60, LocationNotice.deferralEnded(1, .full)))
    deferral(2, 60)
    tell((61, LocationNotice.deferralEnded(2, .full)))
    deferral(3, 60)
    try look(120, updates)
    #expect(rules == [.notices, .deadline, .deadline])
    try look(180, nil)
    #expect(rules == [.notices, .deadline, .deadline, .notices])
  }

  @Test(
    "a deferral that ends long after its distance is a violation; a deferral that ends at its time is not"
  )
  func distances() throws {
    ask(LocationUpdates(accuracy: .meters(10)))
    let demand = Demand(id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings())
    watch.demanded(demand, by: Self.id, at: at(0))
    watch.granted(
      Grant(status: .served, provider: "location.gnss"), to: demand, in: try Self.governor(), at: at(0))
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let odometer = try #require(vocabulary.fact("location.gnss.distance"))
    var governor = Governor(vocabulary: vocabulary, at: at(0))
    func walk(_ second: Int64, _ metres: Double) {
      _ = governor.step([.fact(odometer, .number(metres))], at: at(second))
      watch.becameIdle(governor, at: at(second))
    }
    func deferral(_ number: Int, _ metres: Double, _ seconds: Int64? = nil, at second: Int64) {
      let command = LocationCommand.deferUpdates(
        number, distance: .meters(metres), time: seconds.map { .seconds($0) })
      watch.record([.command(Self.id, command)], at: at(second))
    }
    deferral(1, 100, at: 0)
    for second in 1...101 as ClosedRange<Int64> { walk(second, Double(second)) }
    tell((101, LocationNotice.deferralEnded(1, .reached([.distance(100)]))))
    deferral(2, 100, 10, at: 102)
    tell((112, LocationNotice.deferralEnded(2, .reached([.time(.seconds(10))]))))
    #expect(rules.isEmpty)
    deferral(3, 100, at: 112)
    deferral(4, 100, at: 112)
    for second in 112...215 as ClosedRange<Int64> { walk(second, Double(second)) }
    tell((215, LocationNotice.deferralEnded(3, .reached([.distance(100)]))))
    try look(240, LocationUpdates(accuracy: .meters(10)))
    #expect(rules == [.deadline, .deadline])
    // Another device serves now, so the odometer of the first device does not count for deferral 5.
    deferral(5, 100, at: 250)
    watch.granted(
      Grant(status: .served, provider: "location.wifi"), to: demand, in: try Self.governor(), at: at(250))
    walk(251, 1000)
    tell((400, LocationNotice.deferralEnded(5, .full)))
    tell((400, LocationNotice.deferralEnded(4, .full)))
    #expect(rules == [.deadline, .deadline, .deadline])
  }

  @Test(
    "a request for one fix that is repeated at its deadline counts as a new request")
  func askedAtTheDeadline() throws {
    let request = FixRequest(timeout: .seconds(30))
    ask(request)
    watch.record([.ask(Self.id, request, receivers: .both)], at: at(30))
    let failure = ServiceFailure(.timedOut, "none came")
    tell((30, LocationNotice.unanswered(failure, best: nil)), (31, LocationNotice.answer(try fix(31))))
    #expect(rules.isEmpty)
    tell((32, LocationNotice.answer(try fix(32))))
    #expect(rules == [.notices])
  }

  @Test("a request that is repeated at its deadline and never answered is a violation")
  func unansweredAtTheDeadline() throws {
    let request = FixRequest(timeout: .seconds(30))
    ask(request)
    watch.record([.ask(Self.id, request, receivers: .both)], at: at(30))
    try look(40, request)
    #expect(rules == [.deadline])
  }

  @Test("regions that continue without a device stay the same service when their client requests them again")
  func refusedAgain() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    let request = RegionsRequest([Region("a", centre: place, radius: .meters(100))])
    var board = ServiceBoard(vocabulary, at: at(0))
    func step(_ inputs: ServiceInput..., second: Int64) {
      watch.record(inputs, at: at(second))
      for effect in board.step(inputs, at: at(second)) { watch.served(effect, at: at(second)) }
    }
    step(
      .attach("app", permissions: .always, mayBackground: true), .ask(Self.id, request, receivers: .both),
      second: 0)
    tell((1, RegionNotice.known(region: "a", isInside: false)))
    step(.detach("app"), second: 2)
    for name in ["location.wifi", "location.gnss", "location.cell"] {
      step(.device(DeviceID(name), .available(false)), second: 3)
    }
    step(
      .attach("app", permissions: .always, mayBackground: true), .ask(Self.id, request, receivers: .both),
      second: 4)
    #expect(board.runningServices == [Self.id])
    tell((5, RegionNotice.entered("a")))
    #expect(rules.isEmpty)
    tell((6, RegionNotice.entered("a")))
    #expect(rules == [.notices])
  }

  @Test("for a request for one fix, a second, late, old or missing answer is a violation")
  func oneShots() throws {
    let request = FixRequest(timeout: .seconds(30))
    ask(request)
    tell((10, LocationNotice.answer(try fix(9))), (11, LocationNotice.answer(try fix(9))))
    #expect(rules == [.notices])
    watch.record([.end(Self.id)], at: at(20))
    watch.record([.ask(Self.id, request, receivers: .both)], at: at(20))
    tell((21, LocationNotice.answer(try fix(5, cached: true))), (60, LocationNotice.answer(try fix(59))))
    #expect(rules == [.notices, .freshness, .deadline])
    watch.record([.end(Self.id)], at: at(70))
    watch.record([.ask(Self.id, request, receivers: .both)], at: at(70))
    try look(110, request)
    #expect(rules == [.notices, .freshness, .deadline, .deadline])
  }

  @Test("fixes that are repeated, out of order, from the future, too old or sent in a pause are violations")
  func fixes() throws {
    ask(LocationUpdates(accuracy: .meters(10)))
    tell((10, LocationNotice.fixes([try fix(9), try fix(10)])))
    #expect(rules.isEmpty)
    tell((11, LocationNotice.fixes([try fix(10)])))
    tell((14, LocationNotice.fixes([try fix(14), try fix(13)])))
    tell((15, LocationNotice.fixes([try fix(16)])))
    #expect(rules == [.notices, .notices, .notices, .freshness])
    tell((5000, LocationNotice.fixes([try fix(20)])))
    #expect(rules.last == .freshness && rules.count == 5)
    var flagged = try fix(21)
    flagged.isStale = true
    tell((5000, LocationNotice.fixes([flagged])))
    #expect(rules.count == 5)
    tell((5001, LocationNotice.paused), (5002, LocationNotice.fixes([try fix(5002)])))
    #expect(rules.last == .notices && rules.count == 6)
  }

  @Test("entries and exits of regions, beacons and visits that do not alternate are violations")
  func places() throws {
    ask(VisitsRequest())
    tell(
      (1, RegionNotice.known(region: "a", isInside: false)), (2, RegionNotice.entered("a")),
      (3, RegionNotice.exited("a")))
    tell(
      (4, BeaconNotice.known(region: "b", isInside: true)), (5, BeaconNotice.unknown("b")),
      (6, BeaconNotice.known(region: "b", isInside: true)), (7, BeaconNotice.exited("b")))
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    var visit = Visit(place: place, accuracy: 10, arrival: at(10))
    tell((20, VisitNotice.arrived(visit, receiver: "app")))
    visit.departure = at(30)
    tell((31, VisitNotice.departed(visit, receiver: "app")))
    #expect(rules.isEmpty)
    tell((40, RegionNotice.exited("a")), (41, RegionNotice.entered("c")))
    tell((42, BeaconNotice.exited("b")), (43, BeaconNotice.unknown("d")))
    tell(
      (44, VisitNotice.departed(visit, receiver: "app")), (45, VisitNotice.arrived(visit, receiver: "app")))
    #expect(rules == Array(repeating: .notices, count: 6))
  }

  @Test("a task that ends twice, sends notices after its end, or is lost is a violation")
  func tasks() throws {
    ask(TransferConfiguration())
    tell((1, TransferNotice.accepted("a")), (2, TransferNotice.reply("a", 200)))
    tell((3, TransferNotice.finished("a", file: nil)))
    #expect(rules.isEmpty)
    tell((4, TransferNotice.failed("a", .server)), (5, TransferNotice.reply("a", 200)))
    tell((6, TransferNotice.finished("b", file: nil)))
    #expect(rules == [.tasks, .tasks, .tasks])
    tell((7, TransferNotice.accepted("c")))
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    var board = ServiceBoard(vocabulary, at: at(0))
    _ = board.step(
      [
        .attach("app", permissions: .always, mayBackground: true),
        .ask(Self.id, TransferConfiguration(), receivers: .both),
      ], at: at(0))
    watch.finish(board, Governor(vocabulary: vocabulary, at: at(0)), at: at(60))
    #expect(rules == [.tasks, .tasks, .tasks, .tasks])
  }

  @Test("a position that is older than the client's maximum age, or from the future, is a violation")
  func moves() throws {
    ask(MovesRequest(maxAge: .minutes(1)))
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    func moved(_ second: Int64) -> MoveNotice {
      .moved([Fix(instant: at(second), coordinate: place, accuracy: 50, device: "location.wifi")])
    }
    tell((100, moved(41)))
    #expect(rules.isEmpty)
    tell((100, moved(39)), (100, moved(101)))
    #expect(rules == [.freshness, .freshness])
  }

  @Test("notices to a detached client, and demands that outlive their service, are violations")
  func gone() throws {
    ask(LocationUpdates(accuracy: .meters(10)))
    watch.demanded(
      Demand(id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings()), by: Self.id,
      at: at(1))
    watch.record([.detach("app")], at: at(10))
    tell((10, LocationNotice.paused), (11, LocationNotice.resumed))
    #expect(rules == [.notices])
    try look(60, nil)
    #expect(rules == [.notices, .gone])
  }
}
