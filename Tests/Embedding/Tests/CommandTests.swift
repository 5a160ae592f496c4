import Stint
import Testing

/// Commands to requests and tasks that do not exist or have ended.
@Suite struct CommandTests {
  private static let verbs: [(name: String, make: @Sendable (String) -> TransferCommand)] = [
    ("resume", { .resume($0) }), ("cancel", { .cancel($0) }), ("promote", { .promote($0) }),
    ("credentials", { .credentials($0) }),
  ]
  private static let map = TransferRequest(.download(from: "https://maps.example/a"), bytesDown: 9000)

  @Test("in an app, a command to an unknown or ended task throws “over”, and the session continues")
  func tasks() async throws {
    try await Stage.with(.app, .allowed) { stage in
      _ = try await stage.app.ask("sync", for: TransferConfiguration())
      for (name, make) in Self.verbs {
        let problem = await #expect(throws: Problem.self) { try await stage.app.send("sync", make("none")) }
        #expect(problem?.code == .over, "\(name)")
        #expect(problem?.cause.contains("there is no task “none”") == true, "\(name)")
        #expect(problem?.place.name == "sync" && problem?.remedy == "create it first", "\(name)")
      }
      try await stage.app.send("sync", TransferCommand.start("map", Self.map))
      try await stage.app.send("sync", TransferCommand.resume("map"))
      try await stage.app.send("sync", TransferCommand.cancel("map"))
      for (name, make) in Self.verbs {
        let problem = await #expect(throws: Problem.self) { try await stage.app.send("sync", make("map")) }
        #expect(problem?.code == .over && problem?.cause.contains("“map” has ended") == true, "\(name)")
      }
      #expect(await stage.app.end("sync"))
      #expect(await !stage.app.end("sync"), "an ended session")
      #expect(await !stage.app.end("never"))
      let over = await #expect(throws: Problem.self) {
        try await stage.app.send("sync", TransferCommand.resume("map"))
      }
      #expect(over?.code == .over)
    }
  }

  @Test("at the socket, a command to an unknown or ended task or request gets one problem")
  func socket() async throws {
    try await Stage.with(.socket, .allowed) { stage in
      let program = try #require(stage.program)
      program.send(#"{"request":{"id":1,"kind":"transfers"}}"#)
      _ = try await program.line { $0.hasPrefix("{\"accepted\"") }
      for verb in ["cancel", "promote", "credentials"] {
        program.send(#"{"command":{"id":1,"\#(verb)":"none"}}"#)
        let answer = try await program.line { _ in true }
        #expect(Program.code(in: answer) == "over" && answer.contains(#""id":1"#), "\(verb): \(answer)")
        #expect(answer.contains(#""remedy":"create it first""#), "\(verb): \(answer)")
      }
      program.send(#"{"command":{"id":1,"task":"map","download":"https://maps.example/a"}}"#)
      program.send(#"{"command":{"id":1,"cancel":"map"}}"#)
      _ = try await program.line { $0.contains(#""state":"failed""#) }
      program.send(#"{"command":{"id":1,"cancel":"map"}}"#)
      let ended = try await program.line { $0.contains("problem") }
      #expect(Program.code(in: ended) == "over", "\(ended)")
      for message in [#"{"end":{"id":7}}"#, #"{"command":{"id":7,"cancel":"map"}}"#] {
        program.send(message)
        let answer = try await program.line { $0.contains("problem") }
        #expect(Program.code(in: answer) == "over", "\(answer)")
      }
    }
  }
}
