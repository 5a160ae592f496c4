import StintModel
import StintUnits
import Testing

@testable import StintServices

/// A service that sends the notices that its commands contain.
private struct Speaker: Service, ServiceRequest {
  struct Say: ServiceCommand {
    var notice: any ServiceNotice
    var isReport: Bool { true }
  }

  var outlivesClient = true
  var maxAge = TimeSpan.minutes(10)

  func makeService() -> any Service { self }
  mutating func begin(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {}

  mutating func handle(_ event: ServiceEvent, _ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    if case .command(let say as Say) = event { outbox.notify(say.notice) }
  }

  mutating func end(_ context: ServiceContext, _ outbox: inout ServiceOutbox) {
    outbox.notify(Plain(text: "last word"))
  }
}

private struct Plain: ServiceNotice, Hashable { var text: String }

/// A notice that promises persistence. Its consequence is an order to discard a file.
private struct Result: ServiceNotice, Hashable {
  struct Discard: ServiceOrder, Hashable { var number: Int }
  var number: Int
  var promisesPersistence: Bool { true }
  var consequence: (any ServiceOrder)? { Discard(number: number) }
}

@Suite("Queues of notices") struct NoticeQueueTests {
  private static let id = ServiceID("app", "s")
  private static let attach = ServiceInput.attach("app", permissions: .always, mayBackground: true)

  private func board(_ speaker: Speaker) -> ServiceBoard {
    var board = ServiceBoard(Vocabulary(manifests: []), at: .epoch)
    _ = board.step([Self.attach, .ask(Self.id, speaker, receivers: .both)], at: .epoch)
    return board
  }

  private func say(_ notice: any ServiceNotice) -> ServiceInput {
    .command(Self.id, Speaker.Say(notice: notice))
  }

  private func notices(_ effects: [ServiceEffect]) -> [any ServiceNotice] {
    effects.compactMap { if case .notice(_, let notice) = $0 { notice } else { nil } }
  }

  private func ends(_ effects: [ServiceEffect]) -> [ServiceEnd] {
    effects.compactMap { if case .over(_, let end) = $0 { end } else { nil } }
  }

  private func position(at instant: Instant) throws -> Fix {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    return Fix(instant: instant, coordinate: place, accuracy: 50, device: "location.wifi")
  }

  @Test("F14: a waiting position that became old is delivered with its age; a fresh position is not changed")
  func ages() throws {
    for (away, isFresh) in [(TimeSpan.minutes(9), true), (.minutes(11), false), (.hours(5), false)] {
      var board = board(Speaker())
      let fix = try position(at: .epoch)
      #expect(notices(board.step([.detach("app"), say(MoveNotice.moved([fix]))], at: .epoch)).isEmpty)
      let delivered = notices(board.step([Self.attach], at: .epoch + away)) as? [MoveNotice]
      var stale = fix
      stale.isStale = true
      #expect(delivered == [isFresh ? .moved([fix]) : .cached(stale, age: away.duration)])
    }
  }

  @Test("F14: waiting fixes are flagged as stale when they are older than the maximum age of the request")
  func fixes() throws {
    let place = try #require(Coordinate(latitude: 47, longitude: 8))
    let fixes = [0, 300].map { second in
      Fix(instant: .epoch + .seconds(second), coordinate: place, accuracy: 5, device: "location.gnss")
    }
    let notice =
      LocationNotice.fixes(fixes)
      .withAge(at: .epoch + .minutes(12), maxAge: .minutes(10)) as? LocationNotice
    guard case .fixes(let delivered)? = notice else {
      Issue.record("expected fixes")
      return
    }
    #expect(delivered.map(\.isStale) == [true, false])
  }

  @Test("G05: a service that does not outlive its client ends once at the detachment and keeps no notices")
  func closed() {
    var board = board(Speaker(outlivesClient: false))
    let afterDetach = board.step([.detach("app"), say(Plain(text: "late"))], at: .epoch)
    #expect(notices(afterDetach).isEmpty)
    #expect(ends(afterDetach) == [.detached])
    let afterAttach = board.step([Self.attach], at: .epoch + .minutes(20))
    #expect(notices(afterAttach).isEmpty && ends(afterAttach).isEmpty)
  }

  @Test("`isReport` is true for the report of a transfer, and false for other commands")
  func commands() {
    struct Order: ServiceCommand {}
    #expect(!Order().isReport)
    #expect(TransferCommand.report("a", attempt: 1, .reply(200)).isReport)
    #expect(!TransferCommand.cancel("a").isReport)
  }

  @Test(
    "a full queue drops the oldest notice that does not promise persistence, and reports the number")
  func bound() {
    var board = board(Speaker())
    _ = board.step([.detach("app"), say(Result(number: 1))], at: .epoch)
    for number in 0..<(NoticeQueue.capacity + 500) {
      _ = board.step([say(Plain(text: "\(number)"))], at: .epoch)
    }
    #expect(board.droppedNotices == 501)
    let delivered = notices(board.step([Self.attach], at: .epoch))
    #expect(delivered.count == NoticeQueue.capacity + 1)
    #expect((delivered.first as? ServiceFailure)?.code == .lost)
    #expect(
      (delivered.first as? ServiceFailure)?.sentence
        == "501 notices were dropped because more than 1024 waited")
    #expect(delivered.dropFirst().first as? Result == Result(number: 1))
    #expect(delivered.last as? Plain == Plain(text: "1523"))
  }

  @Test("the number of dropped notices survives restarts, even when the queue is full")
  func lossAfterRestarts() throws {
    var board = board(Speaker())
    _ = board.step([.detach("app")], at: .epoch)
    for number in 0..<Int64(NoticeQueue.capacity + 7) {
      let fix = try position(at: .epoch + .seconds(number))
      _ = board.step([say(MoveNotice.moved([fix]))], at: .epoch + .seconds(number))
    }
    for _ in 0..<2 {
      let saved = try SavedText.services(of: board)
      board = ServiceBoard(Vocabulary(manifests: []), at: .epoch)
      _ = board.step([.restore(saved)], at: .epoch)
    }
    let delivered = notices(board.step([Self.attach], at: .epoch))
    #expect(delivered.count == NoticeQueue.capacity + 1)
    #expect(
      (delivered.first as? ServiceFailure)?.sentence
        == "7 notices were dropped because more than 1024 waited")
    #expect(try SavedText.text(of: board.saved).contains("losses") == false)
  }

  @Test("a full queue of notices that promise persistence drops the oldest notice and discards its file")
  func results() {
    var board = board(Speaker())
    _ = board.step([.detach("app")], at: .epoch)
    var discarded: [Int] = []
    for number in 0..<(NoticeQueue.capacity + 3) {
      for case .order(_, let order as Result.Discard) in board.step([say(Result(number: number))], at: .epoch)
      {
        discarded.append(order.number)
      }
    }
    #expect(discarded == [0, 1, 2])
  }

  @Test("the output that waits for saving is limited, and dropped notices are counted")
  func withheld() {
    var board = board(Speaker())
    var effects: [ServiceEffect] = []
    for number in 0..<(NoticeStore.maxWithheld + 10) {
      effects += board.withhold([.notice(Self.id, number == 0 ? Result(number: 0) : Plain(text: "\(number)"))]
      )
    }
    #expect(effects.isEmpty)
    #expect(board.notices.withheldCount == NoticeStore.maxWithheld)
    #expect(board.droppedNotices == 10)
    #expect(notices(board.releaseDeferred()).first as? Result == Result(number: 0))
  }

  @Test("the end of a service is sent after its notices that wait for saving")
  func order() {
    var board = board(Speaker())
    let passed = board.withhold([
      .notice(Self.id, Result(number: 1)), .over(Self.id, .ended),
    ])
    #expect(passed.isEmpty)
    let effects = board.releaseDeferred()
    #expect(notices(effects).count == 1)
    #expect(ends(effects) == [.ended])
    if case .over? = effects.last {} else { Issue.record("the end is not the last effect") }
  }

  @Test("a client has at most 1,024 services; another request is rejected with the reason")
  func services() {
    var board = board(Speaker())
    var refused: [ServiceFailure.Code] = []
    for number in 0..<1100 {
      let ask = ServiceInput.ask(ServiceID("app", "t\(number)"), Speaker(), receivers: .both)
      for case .refused(_, let failure) in board.step([ask], at: .epoch) { refused.append(failure.code) }
    }
    #expect(refused == Array(repeating: .full, count: 77))
  }

  @Test("the end of every service is reported once, with the reason")
  func reasons() {
    func end(_ inputs: ServiceInput..., outliving: Bool = false) -> [ServiceEnd] {
      var board = board(Speaker(outlivesClient: outliving))
      return ends(board.step(inputs, at: .epoch) + board.step([], at: .epoch + .hours(1)))
    }
    #expect(end(.end(Self.id), .end(Self.id)) == [.ended])
    #expect(end(.detach("app"), .detach("app")) == [.detached])
    #expect(end(.detach("app"), outliving: true) == [])
    #expect(end(.remove("app"), outliving: true) == [.ended])
    #expect(end(.command(Self.id, TransferCommand.cancel("a"))) == [])
  }
}
