import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// The start times of tasks: favourable conditions, windows, forbidden radios, retries.
@Suite("Start times of tasks") struct StartTimeTests {
  private func bench(
    _ configuration: TransferConfiguration = .discretionary, wifi: Bool = false
  ) -> TransferBench {
    var bench = TransferBench(wifi: wifi)
    bench.attach()
    bench.ask(configuration)
    return bench
  }

  private func power(_ isExternal: Bool) -> ServiceInput {
    .fact("power.source", .symbol(isExternal ? 1 : 0))
  }

  private static let nine = 9 * 3600.0
  private static let week = 7 * 86_400.0

  @Test(
    "N05: deferrable work starts when external power or Wi-Fi has lasted for 30 s",
    arguments: [true, false])
  func goodMoment(byPower: Bool) {
    var bench = bench()
    bench.run(until: Self.nine)
    bench.submit("job", TransferBench.download())
    bench.run(until: 19 * 3600)
    #expect(bench.attempts.isEmpty)
    #expect(bench.told.contains { $0.notice == .waiting("job", .goodMoment) })
    if byPower { bench.step(power(true)) } else { bench.setWiFi(true) }
    bench.run(until: 20 * 3600)
    #expect(bench.attempts(at: "job") == [19 * 3600 + 30])
  }

  @Test("N05 W8: flickering external power is not a favourable condition")
  func flicker() {
    var bench = bench()
    bench.submit("job", TransferBench.download())
    for second in stride(from: 100.0, to: 2000, by: 40) {
      bench.run(until: second)
      bench.step(power(true))
      bench.run(until: second + 29)
      bench.step(power(false))
    }
    #expect(bench.attempts.isEmpty)
  }

  @Test("N05 N16 W8: external power is a favourable condition, even on a phone that never reports “charging”")
  func limited() {
    var bench = bench()
    bench.step(power(true))
    bench.submit("job", TransferBench.download())
    bench.run(until: 60)
    #expect(bench.finished("job") != nil)
  }

  @Test(
    "N05 N16: without favourable conditions, a task starts just before its seven days end, with a notice"
  )
  func forced() throws {
    var bench = bench()
    bench.submit("job", TransferBench.download(500_000))
    bench.run(until: Self.week + 10)
    // The task starts 61 s before the end of its window: one second for the bytes, and a minute as a reserve.
    #expect(bench.attempts(at: "job") == [Self.week - 61])
    #expect(try #require(bench.finished("job")) <= Self.week)
    #expect(bench.told.contains { $0.notice == .waiting("job", .forced) })
  }

  @Test("N16: if a session prefers failure to a forced start, its task fails after exactly 7 d")
  func expired() throws {
    var configuration = TransferConfiguration.discretionary
    configuration.windowEnd = .fail
    var bench = bench(configuration)
    bench.submit("job", TransferBench.download())
    bench.run(until: 86_400)
    try bench.restart()
    bench.attach()
    bench.ask(configuration)
    bench.run(until: Self.week - 1)
    #expect(bench.failed("job") == nil)
    bench.run(until: Self.week + 100)
    let failure = try #require(bench.failed("job"))
    #expect(failure.fault == .expired)
    #expect(failure.second == Self.week)
    #expect(bench.attempts.isEmpty)
  }

  @Test(
    "N17: without favourable conditions, a task starts 1 min plus its expected time before its window ends"
  )
  func window() {
    var configuration = TransferConfiguration.discretionary
    configuration.window = .hours(18)
    var bench = bench(configuration)
    bench.run(until: Self.nine)
    bench.submit("job", TransferBench.download(5_000_000))
    bench.run(until: Self.week)
    #expect(bench.attempts(at: "job") == [Self.nine + 18 * 3600 - 10 - 60])
  }

  @Test("N17: invalid windows are refused; a change of a session's window applies only to new tasks")
  func otherWindow() {
    var wrong = TransferConfiguration()
    wrong.window = .zero
    var bench = bench(wrong)
    #expect(bench.refusals.map(\.code) == [.invalid])
    wrong.window = .seconds(-1)
    bench.ask(wrong)
    #expect(bench.refusals.count == 2)
    bench.ask(.discretionary)
    bench.submit("zero", TransferBench.download(window: .zero))
    #expect(bench.refusals.dropFirst(2).map(\.code) == [.invalid, .over])
    bench.submit("old", TransferBench.download(0))
    bench.tell(.window(.hours(1)))
    let refused = bench.refusals.count
    bench.tell(.window(.zero))
    #expect(bench.refusals.dropFirst(refused).map(\.code) == [.invalid])
    bench.submit("new", TransferBench.download(0))
    bench.run(until: Self.week)
    #expect(bench.attempts(at: "new") == [3600 - 60])
    #expect(bench.attempts(at: "old") == [Self.week - 60])
  }

  @Test(
    "N14: only a task that is not discretionary and is submitted in the foreground starts at once"
  )
  func discretionary() {
    for isDiscretionary in [true, false] {
      for isBackground in [true, false] {
        var configuration = TransferConfiguration()
        configuration.isDiscretionary = isDiscretionary
        var bench = bench(configuration)
        bench.step(.fact("app.state", .symbol(isBackground ? 1 : 0)))
        bench.run(until: Self.nine)
        bench.submit("job", TransferBench.download())
        let startsNow = !isDiscretionary && !isBackground
        #expect(bench.attempts(at: "job") == (startsNow ? [Self.nine] : []))
      }
    }
  }

  @Test(
    "N15: in a thousand changes of Wi-Fi, a Wi-Fi-only session sends no byte over cellular and no byte twice")
  func wifiOnly() {
    var chance = SeededGenerator(seed: 15)
    var configuration = TransferConfiguration()
    configuration.allowsCellular = false
    var bench = bench(configuration)
    bench.rate = 100_000
    var total: Int64 = 0
    for flip in 0..<1000 {
      if flip % 20 == 0 {
        let bytes = Int64.random(in: 1...20_000_000, using: &chance)
        total += bytes
        bench.submit("t\(flip)", TransferBench.download(bytes))
      }
      bench.run(until: bench.second + Double.random(in: 0...120, using: &chance))
      bench.setWiFi(!bench.hasWiFi)
    }
    bench.setWiFi(true)
    bench.run(until: bench.second + 86_400)
    #expect(bench.bytes["radio.cellular", default: 0] == 0)
    #expect(bench.finishedTasks.count == 50)
    #expect(bench.bytes["radio.wifi"] == total)
  }

  @Test("N12: a task that fails three times is attempted at 0, 30, 90 and 210 s, and completes once")
  func retries() {
    var bench = bench(TransferConfiguration())
    bench.server = { $0.attempt <= 3 ? .refusedConnection : .good }
    bench.submit("job", TransferBench.download())
    bench.run(until: 3600)
    #expect(bench.attempts(at: "job") == [0, 30, 90, 210])
    #expect(bench.finishedTasks == ["job"])
    #expect(bench.failed("job") == nil)
  }

  @Test(
    "N12: status 404 ends a task; status 503 causes up to 8 retries in the window, after waits of up to 1 h")
  func limits() {
    var bench = bench(TransferConfiguration())
    bench.server = { _ in ServerScript(atOnce: [.reply(404)], atEnd: []) }
    bench.submit("missing", TransferBench.download())
    bench.run(until: 7200)
    #expect(bench.attempts(at: "missing") == [0])
    #expect(bench.failed("missing")?.fault == .rejected)

    bench.server = { _ in ServerScript(atOnce: [.reply(503)], atEnd: []) }
    bench.submit("busy", TransferBench.download())
    bench.run(until: 7 * 86_400)
    let attempts = bench.attempts(at: "busy").map { $0 - 7200 }
    #expect(attempts == [0, 30, 90, 210, 450, 930, 1890, 3810, 7410])
    #expect(bench.failed("busy")?.fault == .server)

    bench.submit("short", TransferBench.download(window: .minutes(1)))
    bench.run(until: bench.second + 600)
    #expect(bench.attempts(at: "short").count == 2)
    #expect(bench.failed("short")?.fault == .expired)
  }

  @Test("N23: a deferred task that becomes urgent starts at the same instant")
  func promotion() {
    var bench = bench()
    bench.submit("parked", TransferBench.download())
    bench.submit("other", TransferBench.download())
    bench.run(until: 1000)
    bench.tell(.promote("parked"))
    #expect(bench.attempts.map(\.exchange.task) == ["parked"])
    #expect(bench.attempts(at: "parked") == [1000])
  }
}
