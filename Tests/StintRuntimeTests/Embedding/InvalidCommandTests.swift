import Stint
import StintFormats
import StintServices
import StintSimulation
import StintUnits
import Testing

/// Commands that a request cannot accept, from an app and from a program at the socket.
@Suite("invalid commands")
struct InvalidCommandTests {
  private static let updates = #""accuracy":"10 m","background":true,"pause":false"#

  @Test(
    "an app gets one problem for a command with an invalid number, of a wrong kind or to a finished request")
  func app() async throws {
    try await EntryStage.with(.app, .always) { stage in
      #expect(try await stage.ask("updates", Self.updates, 1) == nil)
      let notices = try #require(stage.asked.withLock { $0 })
      func code(_ command: some ServiceCommand, _ name: String = "1") async throws -> String {
        let problem = try #require(
          await #expect(throws: Problem.self, "\(command)") { try await stage.app.send(name, command) })
        #expect(problem.place.name == name && !problem.cause.isEmpty)
        #expect("\(problem)".contains(";") || !problem.remedy.isEmpty, "\(problem)")
        return problem.code.name
      }
      #expect(try await code(LocationCommand.setAccuracy(.meters(-5))) == "invalid")
      #expect(try await code(LocationCommand.deferUpdates(1, distance: .meters(.nan))) == "invalid")
      #expect(try await code(MotionCommand.interval(.zero)) == "invalid")
      let shaking = MotionRequest(.acceleration, interval: .milliseconds(100))
      _ = try await stage.app.ask("2", for: shaking)
      #expect(try await code(MotionCommand.interval(.seconds(-1)), "2") == "invalid")
      _ = try await stage.app.ask("3", for: VisitsRequest())
      #expect(try await code(VisitCommand.listen("two\nlines"), "3") == "invalid")
      // The refused commands have changed nothing: the updates continue, and no notice reports a refusal.
      try await stage.bus.advance(by: .seconds(120))
      await stage.app.end("1")
      var fixes = 0
      for await notice in notices {
        #expect(!(notice is ServiceFailure), "\(notice)")
        if case LocationNotice.fixes(let new) = notice { fixes += new.count }
      }
      #expect(fixes >= 3)
      #expect(try await code(LocationCommand.setPausing(true)) == "over")
      await stage.bus.close()
      let closed = await #expect(throws: Problem.self) {
        try await stage.app.send("1", LocationCommand.setPausing(true))
      }
      #expect(closed?.code == .closed)
    }
  }

  /// A request of a program, with the code that the app gets for the same request.
  private static let requests: [(kind: String, settings: String, code: String)] = [
    ("updates", #""accuracy":"0 m""#, "invalid"), ("updates", #""filter":"-1 m""#, "invalid"),
    ("fix", #""timeout":"0 s""#, "invalid"), ("fix", #""timeout":"200 yr""#, "invalid"),
    ("samples", #""device":"location.gnss","latency":"1000000 h""#, "invalid"),
    ("samples", #""device":"location.nowhere""#, "no-such-device"),
    ("samples", #""device":"location.gnss","attributes":{"gain":"high"}"#, "invalid"),
    ("moves", #""heartbeat":"1 s""#, "invalid"), ("regions", #""regions":[]"#, "invalid"),
    ("orientation", #""rate":"0 Hz""#, "invalid"),
  ]

  @Test("an invalid request gets the same code from the app and at the socket", arguments: Entry.allCases)
  func codes(_ entry: Entry) async throws {
    try await EntryStage.with(entry, .always) { stage in
      for (number, (kind, settings, code)) in Self.requests.enumerated() {
        let refusal: String?
        do {
          refusal = try await stage.ask(kind, settings, number + 10)
        } catch let problem as Problem where entry == .app {
          // The text has no value that the app could pass.
          #expect(problem.code == .value)
          continue
        }
        #expect(refusal == code, "\(kind) \(settings)")
      }
    }
  }

  @Test(
    "a demand without permission, or with an invalid value, has the code of the same request of a program")
  func demands() async throws {
    let permissions = [
      Client.Permissions(location: .undecided), Client.Permissions(location: .denied), .always,
    ]
    for (permission, code) in zip(permissions, [Problem.Code.undecided, .denied, .invalid]) {
      for entry in Entry.allCases {
        try await EntryStage.with(entry, permission) { stage in
          let isValid = code.isPermission
          let settings = isValid ? #","latency":"1 s""# : #","latency":"1000000 h""#
          if entry == .socket {
            let refusal = try await stage.ask("samples", #""device":"location.gnss""# + settings, 1)
            #expect(refusal == code.name)
          } else {
            let demand = DemandRequest.samples(
              of: "location.gnss", maxAge: isValid ? .zero : .seconds(Int64.max))
            let problem = await #expect(throws: Problem.self) {
              try await stage.app.withDemand(demand) { _ in }
            }
            #expect(problem?.code == code)
          }
        }
      }
    }
  }

  /// Tasks that no session can accept, as requests of an app.
  private static let tasks: [(name: String, request: TransferRequest)] = {
    func map(_ address: String = "https://maps.example/a", _ bytes: Int64 = 9, _ window: Duration? = nil)
      -> TransferRequest
    { TransferRequest(.download(from: address), bytesDown: bytes, window: window) }
    return [
      ("t\n3", map()), ("", map()), ("a", map("")), ("b", map("https://maps.example/a", -1)),
      ("c", map("https://maps.example/a", .max)), ("d", map("https://maps.example/a", 9, .seconds(-1))),
      ("e", TransferRequest(.uploadFromMemory(to: "https://maps.example/a"), bytesUp: 9)),
      ("f", TransferRequest(.upload(file: "", to: "https://maps.example/a"), bytesUp: 9)),
    ]
  }()

  @Test("an app gets `invalid` for an invalid task, and the session gets neither the task nor a notice")
  func invalidTasks() async throws {
    let phone = try ReferencePhone(scenario: "day-hike")
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart), onOrder: { _, _, _ in })
    let app = try await bus.attach("app", authorized: .always)
    let refusal = await #expect(throws: Problem.self) {
      var wrong = TransferConfiguration()
      wrong.largeTask = -5
      _ = try await app.ask("large", for: wrong)
    }
    #expect(refusal?.code == .invalid)
    let notices = try await app.ask("sync", for: TransferConfiguration())
    for (name, request) in Self.tasks {
      for command in [TransferCommand.create(name, request), .start(name, request)] {
        let problem = await #expect(throws: Problem.self, "\(command)") {
          try await app.send("sync", command)
        }
        #expect(problem?.code == .invalid && problem?.place.name == "sync", "\(command)")
        #expect(problem?.cause.contains(";") == true || problem?.remedy.isEmpty == false, "\(command)")
      }
    }
    await app.end("sync")
    for await notice in notices { Issue.record("\(notice)") }
    await bus.close()
  }

  @Test("a command that needs background use is refused for a client that does not declare it")
  func background() async throws {
    try await EntryStage.with(.app, .always) { stage in
      let modest = try await stage.bus.attach("modest", authorized: .always, mayBackground: false)
      let notices = try await modest.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      let problem = await #expect(throws: Problem.self) {
        try await modest.send("way", LocationCommand.setBackground(true))
      }
      #expect(problem?.code == Problem.Code("denied"))
      try await modest.send("way", LocationCommand.setBackground(false))
      await modest.end("way")
      for await notice in notices { #expect(!(notice is ServiceFailure)) }
    }
  }

  @Test(
    "a program gets one problem with cause and remedy for each invalid command, and its request continues")
  func socket() async throws {
    try await EntryStage.with(.socket, .always) { stage in
      let program = try #require(stage.program)
      #expect(try await stage.ask("updates", Self.updates, 1) == nil)
      #expect(try await stage.ask("fix", #""accuracy":"10 m","timeout":"1 h""#, 2) == nil)
      let commands: [(line: String, code: String)] = [
        (#"{"command":{"id":1,"accuracy":"-5 m"}}"#, "invalid"),
        (#"{"command":{"id":1,"cancel":"map"}}"#, "invalid"),
        (#"{"command":{"id":1,"cancle":"map"}}"#, "unknown-name"),
        (#"{"command":{"id":2,"accuracy":"5 m"}}"#, "invalid"),
        (#"{"command":{"id":9,"accuracy":"5 m"}}"#, "over"),
        (#"{"request":{"id":3,"kind":"teleport"}}"#, "unknown-name"),
      ]
      for (line, code) in commands {
        try program.send(line)
        let answer = try await program.line { $0.contains(#""problem""#) }
        #expect(EntryStage.code(in: answer) == code, "\(line): \(answer)")
        let problem = try JSONReader.value(of: answer, source: "line")["problem"]
        #expect(problem?["cause"]?.string?.isEmpty == false, "\(answer)")
        #expect(problem?["remedy"]?.string?.isEmpty == false || answer.contains(";"), "\(answer)")
      }
      try program.send(#"{"end":{"id":1}}"#)
      let end = try await program.line { $0.contains(#""ended":{"id":1"#) }
      #expect(end.contains(#""reason":"ended""#), "\(end)")
      try program.send(#"{"command":{"id":1,"accuracy":"5 m"}}"#)
      let late = try await program.line { $0.contains(#""problem""#) }
      #expect(EntryStage.code(in: late) == "over", "\(late)")
    }
  }
}
