import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Sessions and their clients: the notices that each client receives, even after crashes.
@Suite struct SessionTests {
  private func bench(
    _ configuration: TransferConfiguration = TransferConfiguration(), wifi: Bool = true
  ) -> TransferBench {
    var bench = TransferBench(wifi: wifi)
    bench.attach()
    bench.ask(configuration)
    return bench
  }

  @Test("N06: while their client is detached, ten uploads and ten downloads finish, each exactly once")
  func exit() {
    var bench = bench()
    for number in 0..<10 {
      bench.submit("up\(number)", TransferBench.upload(2_000_000))
      bench.submit("down\(number)", TransferBench.download(2_000_000))
    }
    bench.step(.detach("mail"))
    bench.run(until: 3600)
    #expect(bench.done.count == 20)
    bench.attach()
    #expect(bench.finishedTasks.isEmpty)
    bench.ask()
    #expect(bench.finishedTasks.count == 20)
    #expect(Set(bench.finishedTasks).count == 20)
  }

  @Test("N06: an upload from memory is refused; an upload whose file is gone fails and is not retried")
  func bodies() {
    var bench = bench()
    bench.submit("memory", TransferRequest(.uploadFromMemory(to: "https://example.org"), bytesUp: 10))
    #expect(bench.refusals.map(\.code) == [.invalid, .over] && bench.told.isEmpty)
    bench.server = { _ in ServerScript(atOnce: [.fail(.bodyGone)], atEnd: []) }
    bench.submit("gone", TransferBench.upload())
    bench.run(until: 7200)
    #expect(bench.failed("gone")?.fault == .bodyGone)
    #expect(bench.attempts(at: "gone").count == 1)
  }

  @Test("N07: repeated crashes of client and host neither lose nor repeat a request")
  func kills() throws {
    var chance = SeededGenerator(seed: 7)
    for seed in Trials(100).rounds {
      var bench = bench()
      // The requests that are not acknowledged yet; the client repeats them under the same names.
      var wanted = (0..<10).map { "t\(seed)-\($0)" }
      for _ in 0..<10 {
        let asked = wanted.prefix(Int.random(in: 0...wanted.count, using: &chance))
        for task in asked {
          bench.submit(task, TransferBench.upload(Int64.random(in: 1...5_000_000, using: &chance)))
        }
        // The client crashes before it receives the acknowledgement of the last request.
        wanted.removeFirst(max(0, asked.count - 1))
        bench.run(until: bench.second + Double.random(in: 0...8, using: &chance))
        bench.step(.detach("mail"))
        if Bool.random(using: &chance) { try bench.restart() }
        bench.run(until: bench.second + Double.random(in: 0...8, using: &chance))
        bench.attach()
        bench.ask()
      }
      for task in wanted { bench.submit(task, TransferBench.upload()) }
      bench.run(until: bench.second + 3600)
      #expect(bench.done.count == 10, "seed \(seed)")
      #expect(bench.finishedTasks.sorted() == (0..<10).map { "t\(seed)-\($0)" }, "seed \(seed)")
    }
  }

  @Test(
    "N08: fifty completions while the client is away give one launch, then all results in order and `drained`"
  )
  func away() {
    var bench = bench()
    for number in 0..<50 { bench.submit("\(number)", TransferBench.download(Int64(number + 1) * 10_000)) }
    bench.step(.detach("mail"))
    bench.run(until: 30)
    #expect(bench.launches == ["mail transfers"])
    let before = bench.told.count
    bench.attach()
    bench.ask()
    #expect(bench.finishedTasks == (0..<50).map(String.init))
    #expect(bench.told.last?.notice == .drained)
    #expect(bench.told.count - before == 50 * 2 + 1)
  }

  @Test("N08: a client that returns also receives the failures of its tasks")
  func problem() {
    var bench = bench()
    bench.server = { _ in ServerScript(atEnd: [.reply(404)]) }
    bench.submit("a", TransferBench.download())
    bench.step(.detach("mail"))
    bench.run(until: 10)
    bench.attach()
    bench.ask()
    #expect(bench.failed("a")?.fault == .rejected)
  }

  @Test("N09: a client that left at any time receives the remaining notices exactly once when it returns")
  func reconnect() {
    var chance = SeededGenerator(seed: 9)
    for seed in Trials(200).rounds {
      var bench = bench()
      for number in 0..<8 {
        bench.submit("\(number)", TransferBench.download(Int64.random(in: 0...4_000_000, using: &chance)))
      }
      for _ in 0..<4 {
        bench.run(until: bench.second + Double.random(in: 0...3, using: &chance))
        bench.step(.detach("mail"))
        bench.run(until: bench.second + Double.random(in: 0...3, using: &chance))
        bench.attach()
        bench.ask()
      }
      bench.run(until: 3600)
      #expect(bench.finishedTasks.sorted() == (0..<8).map(String.init), "seed \(seed)")
      #expect(bench.told.filter { $0.notice == .drained }.count >= 1, "seed \(seed)")
    }
  }

  @Test("N09: a second request for a session is refused, and another client does not get the session")
  func strangers() {
    var bench = bench()
    bench.ask()
    #expect(bench.refusals.map(\.code) == [.duplicate])
    bench.submit("a", TransferBench.download())
    bench.attach("stranger")
    var theirs = TransferConfiguration()
    theirs.mustExist = true
    bench.ask(theirs, "stranger")
    #expect(bench.failures.map(\.code) == [.lost])
    bench.run(until: 60)
    #expect(bench.told.allSatisfy { $0.client == "mail" })
    #expect(bench.finishedTasks == ["a"])
  }

  @Test("N09: a session ends after its window of seven days if its client does not return")
  func forgotten() {
    var bench = bench()
    bench.submit("a", TransferBench.download())
    bench.step(.detach("mail"))
    bench.run(until: 7 * 86_400 - 1)
    #expect(bench.board.transferSessions(at: bench.now).count == 1)
    bench.run(until: 7 * 86_400 + 1)
    #expect(bench.board.transferSessions(at: bench.now).isEmpty)
  }

  @Test(
    "N10: only the task whose server requests credentials waits, and the attached client gets a notice")
  func credentials() {
    var bench = bench()
    bench.server = { exchange in
      exchange.task == "secret" && exchange.attempt == 1 ? .unauthorized : .good
    }
    bench.submit("secret", TransferBench.download())
    bench.run(until: 1)
    #expect(bench.told.contains { $0.notice == .credentialsNeeded("secret") })
    #expect(bench.finished("secret") == nil)
    bench.submit("open", TransferBench.download())
    bench.run(until: 2)
    #expect(bench.finished("open") != nil)
    bench.tell(.credentials("secret"))
    bench.run(until: 3)
    #expect(bench.finished("secret") != nil)
    #expect(bench.launches.isEmpty)
  }

  @Test(
    "N10: of ten tasks, only the task without its credentials waits; it continues when it gets them")
  func oneOfTen() {
    var bench = bench()
    bench.server = { exchange in
      exchange.task == "4" && exchange.attempt == 1 ? ServerScript(atEnd: [.reply(401)]) : .good
    }
    for number in 0..<10 { bench.submit("\(number)", TransferBench.download(4_000_000)) }
    bench.step(.detach("mail"))
    bench.run(until: 3600)
    #expect(bench.launches.first == "mail credentials")
    #expect(Set(bench.launches) == ["mail credentials"])
    #expect(bench.done.count == 9)
    bench.attach()
    bench.ask()
    let launches = bench.launches.count
    #expect(bench.finishedTasks == (0..<10).filter { $0 != 4 }.map(String.init))
    #expect(bench.told.filter { $0.notice == .credentialsNeeded("4") }.count == 1)
    bench.tell(.credentials("4"))
    bench.run(until: 7200)
    #expect(bench.finishedTasks.last == "4")
    #expect(bench.attempts(at: "4").count == 2)
    #expect(bench.launches.count == launches)
  }

  @Test("N10: while a task waits for credentials, its window continues; an absent client is launched")
  func parked() {
    var bench = bench()
    bench.server = { _ in .unauthorized }
    bench.tell(.create("secret", TransferBench.download(window: .hours(18))))
    bench.tell(.create("other", TransferBench.download(window: .hours(18))))
    bench.setWiFi(false)
    bench.tell(.resume("secret"))
    bench.tell(.resume("other"))
    bench.attach("idle")
    bench.run(until: 1)
    #expect(bench.told.filter { $0.notice == .credentialsNeeded("secret") }.count == 1)
    bench.run(until: 18 * 3600)
    #expect(bench.failed("secret")?.fault == .expired)
    #expect(bench.failed("secret")?.second == 64_800.0)

    var absent = self.bench()
    absent.server = { _ in .unauthorized }
    absent.tell(.create("secret", TransferBench.download(4_000_000)))
    absent.tell(.create("other", TransferBench.download(4_000_000)))
    absent.server = { _ in ServerScript(atEnd: [.reply(401)]) }
    absent.tell(.resume("secret"))
    absent.tell(.resume("other"))
    absent.step(.detach("mail"))
    absent.run(until: 30)
    #expect(absent.launches == ["mail credentials"])
  }

  @Test("N08: the number of notices kept for an absent client is limited; the ends of tasks are always kept")
  func keptBound() {
    var bench = bench()
    bench.submit("a", TransferBench.download(1000))
    bench.run(until: 0.001)
    bench.step(.detach("mail"))
    let id = ServiceID("mail", "sync")
    for _ in 0..<1500 {
      bench.step(.command(id, TransferCommand.report("a", attempt: 1, .reply(200))))
    }
    bench.run(until: 3600)
    bench.attach()
    bench.ask()
    #expect(bench.failures.map(\.code) == [.lost])
    #expect(bench.told.count <= 1100)
    #expect(bench.finishedTasks == ["a"])
  }

  @Test(
    "N08: a session refuses another task while ten thousand are open",
    .enabled(if: Tier.current >= .gate, "this test opens ten thousand tasks, so the tier `unit` omits it"))
  func taskBound() {
    var bench = bench()
    for number in 0..<10_002 {
      bench.tell(.create("\(number)", TransferBench.download(1000)))
    }
    #expect(bench.refusals.map(\.code) == [.full, .full])
  }
}
