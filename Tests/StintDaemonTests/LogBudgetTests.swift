import StintModel
import StintUnits
import Testing

@testable import StintDaemon

@Suite struct LogBudgetTests {
  private static func seconds(_ count: Int64) -> Instant { .epoch + .seconds(count) }

  @Test("a log accepts 500 lines at once and then 20 lines per second, and counts the dropped lines")
  func limit() {
    let budget = LogBudget(at: .epoch)
    let first = (0..<1_000).compactMap { _ in budget.spend(at: .epoch) }
    #expect(first == Array(repeating: 0, count: 500))
    #expect(budget.dropped == 500)
    let second = (0..<100).compactMap { _ in budget.spend(at: Self.seconds(1)) }
    #expect(second == [500] + Array(repeating: 0, count: 19))
    #expect(budget.dropped == 580)
  }

  @Test("refusals and messages of clients are limited; decisions and other notices are always reported")
  func levels() {
    let events = Locked<[DaemonEvent]>([])
    let report = LogBudget(at: LogBudget.now + .hours(1)).limiting { event in
      events.withLock { $0.append(event) }
    }
    var attached = DaemonEvent.notice("“app” attached")
    attached.isFromClient = true
    for _ in 0..<400 {
      report(DaemonEvent(level: .refusal, time: nil, text: "hang"))
      report(attached)
      report(DaemonEvent(level: .decision, time: nil, text: "set"))
      report(.notice("reloaded"))
    }
    let reported = events.withLock { $0 }
    #expect(reported.filter { $0.level == .decision }.count == 400)
    #expect(reported.filter { $0.text == "reloaded" }.count == 400)
    #expect(reported.filter { $0.level == .refusal || $0.isFromClient }.count == 500)
  }
}
