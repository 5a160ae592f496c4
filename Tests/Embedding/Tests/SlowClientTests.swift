import Stint
import StintSimulation
import Testing

/// A client that does not read its events loses some of them, and the lost events are counted. Other clients
/// lose no events.
///
/// Each test makes two runs of the same walk. In the prompt run, all clients read their events immediately.
/// In the late run, one client reads only at the end. The sum of this client's read and lost events is then
/// the number of its events in the prompt run. The other client gets equal events in both runs.
@Suite struct SlowClientTests {
  /// The numbers of events that a reader got and lost.
  private struct Tally: Equatable {
    var read = 0
    var lost = 0
  }

  /// Counts the events that a task reads and loses.
  private final class Counter: Sendable {
    let tally = Locked(Tally())
    var value: Tally { tally.withLock { $0 } }
    func read(_ events: Int) { tally.withLock { $0.read += events } }
    func lose(_ events: Int) { tally.withLock { $0.lost += events } }
  }

  /// The numbers of events of the two clients of a run.
  private struct Outcome {
    var slow, other: Tally
  }

  /// Compares the run with a slow client and the run without a slow client.
  private static func check(_ late: Outcome, _ prompt: Outcome, capacity: Int? = nil, _ name: String) {
    #expect(prompt.slow.lost == 0 && prompt.other.lost == 0, "\(name): \(prompt)")
    #expect(late.other == prompt.other, "\(name): \(late), \(prompt)")
    #expect(late.slow.read + late.slow.lost == prompt.slow.read, "\(name): \(late), \(prompt)")
    if let capacity {
      #expect(late.slow.lost == max(prompt.slow.read - capacity, 0), "\(name): \(late), \(prompt)")
    }
  }

  private static func open(_ folder: Folder) async throws -> Bus {
    let phone = Stage.phone()
    var files = Bus.Files()
    files.control = folder.at("control")
    return try await Bus(
      plugins: .linked(phone.plugins() + [SilentCarrier()]), clock: .virtual(from: phone.clockStart),
      files: files)
  }

  // MARK: Services of an app

  @Test("F10: an app that does not read loses only its own events, and gets the exact number of lost events")
  func services() async throws {
    for kind in Kind.all {
      guard case .service(let ask) = kind.request else { continue }
      // A queue keeps 1,024 notices. Location updates fill it in 17 minutes. Motion samples fill it in 2
      // minutes.
      let span = Duration.seconds(kind.name == "updates" ? 1_600 : 300)
      let late = try await Self.run(ask, span, isLate: true)
      let prompt = try await Self.run(ask, span, isLate: false)
      Self.check(late, prompt, capacity: 1024, "\(kind)")
      #expect(!["updates", "motion"].contains(kind.name) || late.slow.lost > 0, "\(kind): \(late)")
    }
  }

  private static func run(
    _ ask: @Sendable (Client, String) async throws -> Notices, _ span: Duration, isLate: Bool
  ) async throws -> Outcome {
    let bus = try await open(Folder())
    let first = try await bus.attach("slow", authorized: .always)
    let second = try await bus.attach("other", authorized: .always)
    let (slow, other) = (try await ask(first, "it"), try await ask(second, "it"))
    let reading = Task { await read(other) }
    let prompt = isLate ? nil : Task { await read(slow) }
    try await bus.advance(by: span)
    // After the end of a service, its reader gets the notices that remain in the queue.
    await first.end("it")
    await second.end("it")
    var outcome = Outcome(slow: Tally(), other: await reading.value)
    if let prompt { outcome.slow = await prompt.value } else { outcome.slow = await read(slow) }
    #expect(outcome.slow.lost == slow.lost)
    await bus.close()
    return outcome
  }

  /// Reads all notices. A failure `lost` names the number of lost notices.
  private static func read(_ notices: Notices) async -> Tally {
    var tally = Tally()
    for await notice in notices {
      if let failure = notice as? ServiceFailure, failure.code == .lost {
        tally.lost += Int(failure.sentence.prefix { $0.isNumber }) ?? 0
      } else {
        tally.read += 1
      }
    }
    return tally
  }

  // MARK: Demands of an app

  @Test(
    "F10: an app that does not read its samples loses only its own samples, and gets their number"
  )
  func demands() async throws {
    let requests: [(DemandRequest, Duration)] = [
      (.location(accuracy: .meters(10), every: .seconds(1)), .seconds(1_600)),
      (.acceleration(every: .milliseconds(20)), .seconds(60)),
    ]
    for (request, span) in requests {
      let late = try await Self.run(request, span, isLate: true)
      Self.check(late, try await Self.run(request, span, isLate: false), "\(request)")
      #expect(late.slow.lost > 0, "\(request): \(late)")
    }
  }

  private static func run(
    _ request: DemandRequest, _ span: Duration, isLate: Bool
  ) async throws -> Outcome {
    let bus = try await open(Folder())
    let (first, second) = (
      try await bus.attach("slow", authorized: .always), try await bus.attach("other", authorized: .always)
    )
    let (slow, other) = (Counter(), Counter())
    try await first.withDemand(request) { own in
      try await second.withDemand(request) { others in
        let reading = Task { try await read(others, other) }
        if isLate {
          // Virtual time does not wait for a reader that has left its loop.
          for try await _ in own.events { break }
          try await bus.advance(by: span)
        }
        let mine = Task { try await read(own, slow) }
        if !isLate { try await bus.advance(by: span) }
        // Virtual time advances when the reader has read all events and waits for more.
        for _ in 0..<100_000 where slow.value.read == 0 { await Task.yield() }
        try await bus.advance(by: .nanoseconds(1))
        mine.cancel()
        reading.cancel()
        _ = (await mine.result, await reading.result)
      }
    }
    await bus.close()
    return Outcome(slow: slow.value, other: other.value)
  }

  /// Counts samples until the task is cancelled.
  private static func read(_ batches: Batches, _ counter: Counter) async throws {
    for try await event in batches.events {
      switch event {
      case .batch(let batch): counter.read(batch.samples.count)
      case .lost(let samples): counter.lose(samples)
      case .status: continue
      }
    }
  }

  // MARK: Programs

  @Test("F10: a program that does not read loses only its own events, and gets the number of lost events")
  func programs() async throws {
    let late = try await Self.programs(isLate: true)
    let prompt = try await Self.programs(isLate: false)
    for (place, kind) in Kind.all.enumerated() {
      Self.check(late[place], prompt[place], "\(kind)")
      #expect(kind.name != "motion" || late[place].slow.lost > 0, "\(kind): \(late[place])")
    }
  }

  /// Runs all kinds of requests at once, each with two programs.
  private static func programs(isLate: Bool) async throws -> [Outcome] {
    let folder = Folder()
    let bus = try await open(folder)
    var pairs: [(slow: Program, other: Program)] = []
    for (number, kind) in Kind.all.enumerated() {
      let slow = try await Program(attach: "slow-\(number)", at: folder.at("control"))
      let other = try await Program(attach: "other-\(number)", at: folder.at("control"))
      let settings = kind.settings.isEmpty ? "" : ",\(kind.settings)"
      for program in [slow, other] {
        program.send(#"{"presence":"foreground"}"#)
        program.send(#"{"request":{"id":1,"kind":"\#(kind.name)"\#(settings)}}"#)
        // The answer shows that the bus has accepted the request.
        _ = try await program.line { $0.hasPrefix(#"{"accepted""#) }
      }
      pairs.append((slow, other))
    }
    var outcomes = pairs.map { _ in Outcome(slow: Tally(), other: Tally()) }
    for _ in 0..<40 {
      try await bus.advance(by: .seconds(15))
      for (place, pair) in pairs.enumerated() {
        try await read(pair.other, &outcomes[place].other)
        if !isLate { try await read(pair.slow, &outcomes[place].slow) }
      }
    }
    for (place, pair) in pairs.enumerated() {
      // The program gets the number of lost events before the end of the request.
      pair.slow.send(#"{"end":{"id":1}}"#)
      try await read(pair.slow, &outcomes[place].slow)
    }
    await bus.close()
    return outcomes
  }

  /// Sends a message without effect, and reads all events that arrive before its answer.
  private static func read(_ program: Program, _ tally: inout Tally) async throws {
    program.send(#"{"end":{"id":99}}"#)
    let counter = Counter()
    let lost = #"{"event":{"id":1,"lost":"#
    _ = try await program.line { line in
      if line.hasPrefix(lost) {
        counter.lose(Int(line.dropFirst(lost.count).prefix { $0.isNumber }) ?? 0)
      } else if line.hasPrefix(#"{"event":"#) {
        counter.read(1)
      }
      return line.hasPrefix(#"{"problem":{"id":99"#)
    }
    tally.read += counter.value.read
    tally.lost += counter.value.lost
  }
}
