import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Tasks and their results: names, the order of notices, files.
@Suite struct TaskTests {
  private func bench(_ configuration: TransferConfiguration = TransferConfiguration()) -> TransferBench {
    var bench = TransferBench(wifi: true)
    bench.attach()
    bench.ask(configuration)
    return bench
  }

  @Test(
    "N13: a client's second session needs another name; the list of sessions has owner, age and queued tasks")
  func names() {
    var bench = bench()
    bench.ask()
    #expect(bench.refusals.map(\.code) == [.duplicate])
    bench.attach("photos")
    bench.run(until: 100)
    bench.ask(.discretionary, "photos")
    #expect(bench.refusals.count == 1)
    bench.tell(.create("a", TransferBench.download(3000)), "photos")
    bench.tell(.create("b", TransferBench.upload(500)), "photos")
    bench.run(until: 160)
    let list = bench.board.transferSessions(at: bench.now)
    #expect(list.map(\.owner) == ["mail", "photos"])
    #expect(list.map(\.name) == ["sync", "sync"])
    #expect(list.map(\.age) == [.seconds(160), .seconds(60)])
    #expect(list.map(\.queuedBytes) == [0, 3500])
    #expect(list.map(\.tasks) == [0, 2])
  }

  @Test("N19: a session keeps the configuration with which it was created")
  func frozen() {
    var configuration = TransferConfiguration.discretionary
    configuration.allowsCellular = false
    var bench = TransferBench(wifi: false)
    bench.attach()
    bench.ask(configuration)
    configuration.isDiscretionary = false
    configuration.allowsCellular = true
    bench.tell(.reconfigure(configuration))
    #expect(bench.told.contains { if case .warning("W-FROZEN", _) = $0.notice { true } else { false } })
    bench.submit("job", TransferBench.download())
    bench.run(until: 3600)
    #expect(bench.attempts.isEmpty)
    bench.step(.detach("mail"))
    bench.attach()
    bench.ask(configuration)
    #expect(bench.told.filter { if case .warning = $0.notice { true } else { false } }.count == 2)
    bench.run(until: 7200)
    #expect(bench.attempts.isEmpty)
  }

  @Test("N20: five tasks are created; only the three resumed tasks run, each once")
  func suspended() {
    var bench = bench()
    for number in 0..<5 { bench.tell(.create("\(number)", TransferBench.download())) }
    for number in [1, 3, 4, 3, 1] { bench.tell(.resume("\(number)")) }
    bench.run(until: 3600)
    #expect(bench.attempts.map(\.exchange.task) == ["1", "3", "4"])
    #expect(bench.finishedTasks == ["1", "3", "4"])
    // A task that is never resumed ends after seven days.
    bench.run(until: 8 * 86_400)
    #expect(bench.failed("0")?.fault == .expired)
    #expect(bench.board.transferSessions(at: bench.now).first?.tasks == 0)
  }

  @Test(
    "N21: a file exists while the client handles its notice, and is removed afterwards unless it was moved")
  func file() throws {
    var bench = bench()
    var seen: [String: Bool] = [:]
    bench.receive = { notice, files in
      guard case .finished(let task, let file?) = notice else { return }
      seen[task] = files.contains(file)
      if task == "kept", files.remove(file) != nil { files.insert("/mine/\(task)") }
    }
    bench.submit("kept", TransferBench.download())
    bench.submit("lost", TransferBench.download())
    bench.run(until: 10)
    let atOnce = seen
    #expect(atOnce == ["kept": true, "lost": true])
    #expect(bench.files == ["/mine/kept"])
    // While the client is away the file is kept, even across a restart.
    bench.submit("late", TransferBench.download())
    bench.step(.detach("mail"))
    bench.run(until: 20)
    try bench.restart()
    #expect(bench.files.contains("/staging/late"))
    bench.attach()
    bench.ask()
    #expect(bench.files == ["/mine/kept"])
    #expect(bench.finishedTasks.contains("late"))
  }

  @Test("N21: files that were not fetched are removed with the client")
  func unfetched() {
    var bench = bench()
    bench.submit("a", TransferBench.download())
    bench.step(.detach("mail"))
    bench.run(until: 10)
    #expect(bench.files == ["/staging/a"])
    bench.step(.remove("mail"))
    #expect(bench.files.isEmpty)
  }

  @Test("N21: a full disk is a failure, and leaves no part of a file")
  func fullDisk() {
    var bench = bench()
    bench.server = { _ in ServerScript(atEnd: [.reply(200), .fail(.diskFull)]) }
    bench.submit("big", TransferBench.download())
    bench.run(until: 3600)
    #expect(bench.failed("big")?.fault == .diskFull)
    #expect(bench.attempts(at: "big").count == 1)
    #expect(bench.files.isEmpty)
    #expect(bench.closed.last?.keepsPart == false)
  }

  @Test(
    "N22: for any server, a task gives notices of responses, and then exactly one `finished` or `failed`")
  func order() {
    var chance = SeededGenerator(seed: 22)
    for seed in Trials(1000).rounds {
      var bench = bench()
      bench.server = { _ in Self.script(&chance) }
      let tasks = (0..<10).map { "\($0)" }
      for task in tasks { bench.submit(task, TransferBench.download(1000)) }
      bench.run(until: 8 * 86_400)
      for task in tasks {
        let word = bench.told.compactMap { Self.letter($0.notice, task) }.joined()
        #expect(word.last == "f" || word.last == "e", "seed \(seed): \(word)")
        #expect(word.dropLast().allSatisfy { $0 == "r" }, "seed \(seed): \(word)")
      }
    }
  }

  private static func letter(_ notice: TransferNotice, _ task: String) -> String? {
    switch notice {
    case .reply(task, _): "r"
    case .finished(task, _): "f"
    case .failed(task, _): "e"
    default: nil
    }
  }

  private static func script(_ chance: inout SeededGenerator) -> ServerScript {
    func acts() -> [ServerAct] {
      (0..<Int.random(in: 0...5, using: &chance)).map { _ in
        chance.pick([
          .reply(200), .reply(302), .reply(404), .reply(500), .reply(401), .reply(-1), .finish,
          .fail(.connection), .fail(.diskFull), .fail(.server), .pause(.seconds(1)),
          .report(.progress(500)), .report(.progress(-7)), .report(.progress(.max)),
        ])
      }
    }
    return ServerScript(atOnce: acts(), atEnd: acts())
  }
}
