import Stint
import Testing

/// Requests that name a device get samples of this device only.
@Suite struct NamedDeviceTests {
  private static let gnss = #""device":"location.gnss""#

  private static let kinds = [
    Kind("samples", gnss, .samples(of: "location.gnss")),
    Kind("samples", gnss, .samples(of: "location.gnss", every: .seconds(5))),
  ]

  /// Returns the names of the positioning devices that the governor has switched on.
  private static func providers(_ stage: Stage) async -> [String] {
    await stage.bus.devices().filter { $0.name.hasPrefix("location.") && $0.isOn }.map(\.name)
  }

  @Test("a request for samples of a device is never served by another device", arguments: Entry.allCases)
  func named(entry: Entry) async throws {
    for kind in Self.kinds {
      try await Stage.with(entry, .allowed) { stage in
        #expect(try await stage.ask(kind, 1) == nil)
        try await stage.bus.advance(by: .seconds(60))
        #expect(await Self.providers(stage) == ["location.gnss"])
        guard let program = stage.program else { return }
        let samples = try await program.line { $0.contains(#""samples":"#) }
        #expect(samples.contains(#""device":"location.gnss""#), "\(samples)")
      }
    }
  }

  @Test("a rule that limits the accuracy does not move a request for samples of a device to a cheaper device")
  func downgraded() async throws {
    try await Stage.with(.app, .allowed) { stage in
      #expect(try await stage.ask(Self.kinds[0], 1) == nil)
      try await stage.bus.load(
        text: """
          policy "rough" version 1
          use location.gnss as gps
          rule all always { downgrade gps to 100 m }
          """)
      try await stage.bus.advance(by: .seconds(60))
      #expect(await Self.providers(stage) == ["location.gnss"])
      #expect(await stage.bus.why("location.gnss").contains("rough/all"))
    }
  }

  @Test("at the socket, the accuracy of a request for samples of a device does not select another device")
  func accuracy() async throws {
    try await Stage.with(.socket, .allowed) { stage in
      let kind = Kind("samples", #"\#(Self.gnss),"accuracy":"100 m""#, .samples(of: "location.gnss"))
      #expect(try await stage.ask(kind, 1) == nil)
      try await stage.bus.advance(by: .seconds(60))
      #expect(await Self.providers(stage) == ["location.gnss"])
    }
  }

  @Test("a request for positions may be served by a cheaper device")
  func positions() async throws {
    try await Stage.with(.app, .allowed) { stage in
      let kind = Kind("location", "", .location(accuracy: .meters(100)))
      #expect(try await stage.ask(kind, 1) == nil)
      try await stage.bus.advance(by: .seconds(60))
      #expect(await Self.providers(stage) == ["location.wifi"])
    }
  }
}
