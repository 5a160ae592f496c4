import Stint
import Testing

/// Lengths out of range in all requests and commands.
@Suite struct LengthTests {
  private static let extremes: [Double] = [1e300, 1.1e8, .nan, .infinity, -.infinity, -1]

  private static let services: [(name: String, make: @Sendable (Length) -> any ServiceRequest & Sendable)] = [
    ("updates", { LocationUpdates(accuracy: $0) }), ("filter", { LocationUpdates(filter: $0) }),
    ("fix", { FixRequest(accuracy: $0) }), ("moves", { MovesRequest(accuracy: $0) }),
    ("moves filter", { MovesRequest(filter: $0) }),
    ("samples", { RawSamples("location.gnss", wants: DemandSettings(accuracy: $0, every: nil)) }),
    ("regions", { RegionsRequest([Region("home", centre: Kind.home, radius: $0)]) }),
  ]

  @Test("each service refuses each length out of range with one problem that states the range")
  func requests() async throws {
    try await Stage.with(.app, .allowed) { stage in
      for length in Self.extremes {
        for (name, make) in Self.services {
          let request = make(.meters(length))
          let problem = await #expect(throws: Problem.self, "\(name) \(length)") {
            _ = try await Self.ask(stage.app, request)
          }
          #expect(problem?.code == .invalid, "\(name) \(length)")
          #expect(problem?.cause.contains("100 000 km") == true, "\(name) \(length)")
        }
        let problem = await #expect(throws: Problem.self) {
          try await stage.app.withDemand(.location(accuracy: .meters(length))) { _ in }
        }
        #expect(problem?.code == .invalid && problem?.cause.contains("100 000 km") == true)
      }
      // The largest lengths are valid.
      for (name, make) in Self.services {
        #expect(make(.kilometers(100_000)).rejectionReason == nil, "\(name)")
      }
    }
  }

  private static func ask(_ app: Client, _ request: some ServiceRequest) async throws -> Notices {
    try await app.ask("it", for: request)
  }

  @Test("a command with a length out of range gives one failure, and the updates keep their settings")
  func commands() async throws {
    try await Stage.with(.app, .allowed) { stage in
      let notices = try await stage.app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
      for length in Self.extremes.map(Length.meters) {
        for command in [
          LocationCommand.setAccuracy(length), .setFilter(length), .deferUpdates(1, distance: length),
        ] {
          let problem = await #expect(throws: Problem.self) { try await stage.app.send("way", command) }
          #expect(problem?.code == .invalid && problem?.cause.contains("100 000 km") == true, "\(command)")
        }
      }
      await stage.app.end("way")
      for await notice in notices { #expect(!(notice is ServiceFailure)) }
    }
  }

  @Test("at the socket, a length out of range gives one problem")
  func messages() async throws {
    try await Stage.with(.socket, .allowed) { stage in
      let program = try #require(stage.program)
      let requests = [
        #""kind":"updates","accuracy":"1e300 m""#, #""kind":"updates","filter":"200000 km""#,
        #""kind":"fix","accuracy":"200000 km""#, #""kind":"fix","accuracy":"-1 m""#,
        #""kind":"samples","device":"location.gnss","accuracy":"200000 km""#,
        #""kind":"regions","regions":[{"name":"home","at":[47.05,8.31],"radius":"200000 km"}]"#,
        #""kind":"regions","regions":[{"name":"home","at":[47.05,8.31],"radius":"0 m"}]"#,
      ]
      for request in requests {
        program.send(#"{"request":{"id":1,\#(request)}}"#)
        let answer = try await program.line { _ in true }
        #expect(Program.code(in: answer) != nil, "\(request): \(answer)")
      }
    }
  }
}
