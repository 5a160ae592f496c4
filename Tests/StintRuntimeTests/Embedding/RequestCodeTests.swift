import Stint
import StintRuntime
import StintTestSupport
import Testing

/// The codes of refused requests and calls, which an app and a program at the socket get alike.
@Suite("the codes of refused requests")
struct RequestCodeTests {
  /// A mistake of a program, the same mistake of an app, and the code of both.
  struct Mistake: Sendable, CustomStringConvertible {
    let code: Problem.Code
    let line: String
    let call: @Sendable (Client) async throws -> Void

    var description: String { line }

    init(_ code: Problem.Code, _ line: String, _ call: @escaping @Sendable (Client) async throws -> Void) {
      (self.code, self.line, self.call) = (code, line, call)
    }
  }

  static let mistakes = [
    Mistake(.noSuchDevice, #"{"outlook":{"device":"no.such"}}"#) { _ = try await $0.outlook(for: "no.such") },
    Mistake(.noSuchDevice, #"{"request":{"id":7,"kind":"samples","device":"no.such"}}"#) {
      try await $0.withDemand(.samples(of: "no.such")) { _ in }
    },
    Mistake(.duplicate, #"{"request":{"id":1,"kind":"fix"}}"#) {
      _ = try await $0.ask("1", for: FixRequest())
    },
    Mistake(.over, #"{"command":{"id":9,"cancel":"a"}}"#) {
      try await $0.send("9", TransferCommand.cancel("a"))
    },
    Mistake(.badFact, #"{"publish":{"hike.left":"30 h"}}"#) {
      try await $0.publish("hike.left", .quantity(30, unit: "h"))
    },
    Mistake(.badFact, #"{"publish":{"hike.left":true}}"#) { try await $0.publish("hike.left", true) },
    Mistake(.badFact, #"{"publish":{"no.fact":true}}"#) { try await $0.publish("no.fact", true) },
  ]

  @Test("one mistake has one code for an app and for a program", arguments: mistakes)
  func codes(_ mistake: Mistake) async throws {
    for entry in Entry.allCases {
      try await EntryStage.with(entry, .always) { stage in
        #expect(try await stage.ask("fix", #""accuracy":"10 m","timeout":"1 h""#, 1) == nil)
        guard let program = stage.program else {
          let problem = await #expect(throws: Problem.self) { try await mistake.call(stage.app) }
          #expect(problem?.code == mistake.code)
          return
        }
        try program.send(mistake.line)
        let answer = try await program.line { $0.contains(#""problem""#) || $0.contains(#""outlook""#) }
        #expect(EntryStage.code(in: answer) == mistake.code.name, "\(answer)")
      }
    }
  }

  @Test("a name with a line break is `invalid`, and a used name is `taken`, for an app and for a program")
  func names() async throws {
    try await EntryStage.with(.socket, .always) { stage in
      for (name, written, code) in [("a\nb", #"a\nb"#, Problem.Code.invalid), ("app", "app", .inUse)] {
        let problem = await #expect(throws: Problem.self) {
          try await stage.bus.attach(name, authorized: .always)
        }
        #expect(problem?.code == code)
        let answer = try await ClientProgram.ask(#"{"attach":{"name":"\#(written)"}}"#, at: stage.path)
        #expect(EntryStage.code(in: answer) == code.name, "\(answer)")
      }
    }
  }

  @Test("the guide lists exactly these codes")
  func guide() throws {
    let text = String(
      decoding: try FileText.read(Repository.path("Sources/Stint/Stint.docc/Clients.md")), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "| Code | Mistake |"))
    let codes = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").filter { !$0.contains(" ") && !$0.contains(",") }
    }
    #expect(codes.map(String.init).sorted() == Problem.Code.ofRequests.map(\.name).sorted())
  }
}
