import StintModel
import StintUnits
import Testing

@testable import StintServices

@Suite struct TransferPartsTests {
  private typealias Part = PartContext

  private func task(_ name: String, window: TimeSpan = .minutes(10), isDeferrable: Bool = true)
    -> TransferTask
  {
    TransferTask(
      name, TransferRequest(.download(from: "https://maps.example/a"), bytesDown: 1000), window: window,
      isDeferrable: isDeferrable, at: Part.at(0))
  }

  @Test("indexes of tasks change only when ended tasks are removed; the name of an ended task stays in use")
  func tasks() {
    var tasks = TransferTasks()
    tasks.add(task("a"))
    tasks.add(task("b"))
    tasks.end(0)
    #expect(tasks.index(of: "a") == nil && tasks.index(of: "b") == 1 && tasks.indices == 0..<2)
    tasks.removeEnded()
    #expect(tasks.index(of: "b") == 0 && tasks.contains("a") && !tasks.contains("c"))
  }

  @Test("notices wait from `leave` until `join`, and are delivered once")
  func notices() {
    var notices = SessionNotices()
    var outbox = Part.outbox
    notices.leave(at: Part.at(5))
    notices.send(.accepted("a"), Part.context(6), &outbox)
    #expect(outbox.items.isEmpty && notices.leftAt == Part.at(5))
    notices.join(&outbox)
    #expect(Part.lines(outbox).count == 1 && notices.leftAt == nil)
    notices.send(.accepted("b"), Part.context(7), &outbox)
    notices.join(&outbox)
    #expect(Part.lines(outbox).count == 2)
  }

  @Test(
    "when more than 1,024 notices wait, the oldest are dropped, except results, and their number is reported")
  func surplus() {
    var notices = SessionNotices()
    var outbox = Part.outbox
    notices.leave(at: Part.at(0))
    let context = Part.context(1, isAttached: false)
    notices.send(.finished("file", file: "/f"), context, &outbox)
    for number in 0..<1030 { notices.send(.waiting("\(number)", .goodMoment), context, &outbox) }
    #expect(notices.files == ["/f"])
    notices.join(&outbox)
    let lines = Part.lines(outbox)
    #expect(lines.first?.contains("6 notices were dropped") == true, "\(lines.first ?? "")")
    #expect(lines.count == 1 + 1 + 1024 && lines[1].contains("/f"))
  }

  @Test("a link that is slow for `span` stops transfers, and is tried again after `probe`")
  func slowLink() {
    var configuration = TransferConfiguration()
    configuration.slowLink = SlowLinkLimits(below: 100, release: 200, span: .seconds(20), probe: .minutes(5))
    var moment = TransferMoment()
    moment.note(rate: 50, configuration, at: Part.at(0))
    let stops = [19, 20].map { moment.pass(configuration, isCarrying: true, at: Part.at($0)) }
    #expect(stops == [false, true])
    #expect(moment.timers(for: [], configuration, Part.context(20)) == [Part.at(320)])
    let stopsAgain = moment.pass(configuration, isCarrying: false, at: Part.at(320))
    #expect(!stopsAgain)
    #expect(moment.timers(for: [], configuration, Part.context(320)) == [.distantFuture])
  }

  @Test("a session without a radio reports the obstacle `noRadio`")
  func noRadio() {
    let moment = TransferMoment()
    #expect(moment.obstacle(to: task("a"), TransferConfiguration(), Part.context(0)) == .noRadio)
  }
}
