import Stint
import StintFormats
import StintModel
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

/// Every kind of request, from an app and from a program at the socket, with every state of the client.
@Suite struct PermissionMatrixTests {
  /// A kind of request with the permission that it needs, written down here and not read from the code.
  struct Kind: Sendable, CustomStringConvertible {
    let name: String
    /// The members of the request in a message, without its number and kind.
    let settings: String
    let need: PermissionNeed
    /// The device that serves the request in the foreground; nil for a request that starts none at once.
    var device: DeviceID?
    /// True when the service continues without its client.
    var outlives = false
    /// True when a rule of the kind serves it in the background without a flag.
    var worksInBackground = false

    var description: String { settings.isEmpty ? name : "\(name) \(settings)" }
  }

  static let kinds: [Kind] = [
    Kind(
      name: "updates", settings: #""accuracy":"10 m""#, need: .location(.whenInUse), device: "location.gnss"),
    Kind(
      name: "samples", settings: #""device":"location.gnss""#, need: .preciseLocation(.whenInUse),
      device: "location.gnss"),
    Kind(
      name: "samples", settings: #""device":"motion.accelerometer""#, need: .motion,
      device: "motion.accelerometer"),
    Kind(
      name: "motion", settings: #""of":"acceleration","rate":"10 Hz""#, need: .motion,
      device: "motion.accelerometer"),
    Kind(name: "orientation", settings: "", need: .nothing, device: "motion.accelerometer"),
    Kind(
      name: "regions", settings: #""regions":[{"name":"home","at":[47.05,8.31],"radius":"200 m"}]"#,
      need: .preciseLocation(.always), outlives: true, worksInBackground: true),
    Kind(
      name: "beacons", settings: #""beacons":[{"name":"dock","identity":"dock"}]"#,
      need: .preciseLocation(.always), device: "radio.ble", outlives: true, worksInBackground: true),
    Kind(
      name: "ranging", settings: #""name":"dock","identity":"dock""#,
      need: .preciseLocation(.whenInUse), device: "radio.ble", worksInBackground: true),
    Kind(name: "visits", settings: "", need: .location(.always), outlives: true, worksInBackground: true),
    Kind(name: "moves", settings: "", need: .location(.always), outlives: true, worksInBackground: true),
  ]

  /// The permissions at the time of the request.
  static let states: [(name: String, permissions: Permissions)] = [
    ("denied", .denied),
    ("undecided", Permissions(location: .undecided, motion: .undecided, network: .undecided)),
    ("coarse", Permissions(precision: .coarse)), ("when in use", .whenInUse),
    ("no motion", Permissions(motion: .denied)), ("allowed", .always),
  ]

  /// The expected code of the refusal; nil when the request is accepted.
  static func refusal(_ need: PermissionNeed, _ state: String) -> String? {
    switch (need, state) {
    case (.nothing, _), (_, "allowed"): nil
    case (.motion, "denied"), (.motion, "no motion"): "denied"
    case (.motion, "undecided"): "undecided"
    case (.motion, _): nil
    case (_, "denied"): "denied"
    case (_, "undecided"): "undecided"
    case (.preciseLocation, "coarse"): "denied"
    case (.location(.always), "when in use"), (.preciseLocation(.always), "when in use"): "denied"
    default: nil
    }
  }

  // MARK: Entries

  /// How requests enter: from the app that embeds the bus, or from a program at its socket.
  enum Entry: String, CaseIterable, Sendable {
    case app, socket
  }

  /// A client at an entry.
  private final class Stage: Sendable {
    let bus: Bus
    let app: Client
    let program: Program?
    let name: String
    /// The notices of the last accepted request of the app.
    let asked = Locked<Notices?>(nil)
    private let path: String

    init(bus: Bus, app: Client, program: Program?, name: String, path: String) {
      self.bus = bus
      self.app = app
      self.program = program
      self.name = name
      self.path = path
    }

    /// Makes the request, and returns the code of its refusal; nil when it is accepted.
    func ask(_ kind: Kind, _ number: Int) async throws -> String? {
      let settings = kind.settings.isEmpty ? "" : ",\(kind.settings)"
      let line = "{\"request\":{\"id\":\(number),\"kind\":\"\(kind.name)\"\(settings)}}"
      if let program {
        try program.send(line)
        let answer = try await program.line { $0.contains("\"accepted\"") || $0.contains("\"problem\"") }
        return answer.contains("\"accepted\"") ? nil : PermissionMatrixTests.code(in: answer)
      }
      guard case .request(_, let request) = try ClientMessageReader.message(of: line, requests: .all),
        let request = request as? any ServiceRequest
      else { return "unreadable" }
      do {
        asked.withLock { $0 = nil }
        let notices = try await app.ask(String(number), for: request)
        asked.withLock { $0 = notices }
        return nil
      } catch {
        return error.code.name
      }
    }

    func permit(_ permissions: Permissions) async throws {
      guard program != nil else { return await app.authorize(permissions) }
      let words =
        #""location":"\#(permissions.location.word)","precision":"\#(permissions.precision.rawValue)","#
        + #""motion":"\#(permissions.motion.rawValue)","network":"\#(permissions.network.rawValue)""#
      let reply = try await Program.ask(
        #"{"ask":"permit","client":"\#(name)","permission":{\#(words)}}"#, at: path)
      try #require(reply.contains(#""ok":true"#), "\(reply)")
    }

    func set(_ presence: Client.Presence) async throws {
      if let program {
        try program.send(#"{"presence":"\#(presence.rawValue)"}"#)
        try await settle()
      } else {
        await app.setPresence(presence)
      }
    }

    func leave() async throws {
      guard let program else { return await app.detach() }
      program.leave()
      try await settle()
    }

    /// Waits until the bus has seen everything that the program did: it answers a later question.
    private func settle() async throws { _ = try await Program.ask(#"{"ask":"status"}"#, at: path) }

    func isOn(_ device: DeviceID) async throws -> Bool {
      try #require(await bus.devices().first { $0.name == device.path }).isOn
    }

    /// Returns whether a device serves the client. A device that works in short cycles may be off meanwhile.
    func serves(_ device: DeviceID) async throws -> Bool {
      let name = program == nil ? app.name : name
      return try #require(await bus.devices().first { $0.name == device.path }).served.contains(name)
    }
  }

  /// Returns the code in a line of the protocol.
  private static func code(in line: String) -> String? {
    do throws(Problem) {
      let value = try JSONReader.value(of: line, source: "line")
      return (value["problem"] ?? value["ended"]?["problem"])?["code"]?.string
    } catch {
      return nil
    }
  }

  private func withStage(
    _ entry: Entry, _ permissions: Permissions, _ body: (Stage) async throws -> Void
  ) async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let phone = try Self.phone()
    let bus = try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), files: files)
    let app = try await bus.attach("app", authorized: permissions)
    await app.setPresence(.foreground)
    var program: Program?
    if entry == .socket {
      program = try await Program(attach: "program", at: folder.at("control"))
    }
    let stage = Stage(bus: bus, app: app, program: program, name: "program", path: folder.at("control"))
    if entry == .socket {
      try await stage.permit(permissions)
      try await stage.set(.foreground)
    }
    try await body(stage)
    program?.leave()
    await bus.close()
  }

  private static func phone() throws -> ReferencePhone {
    let text = """
      {"stint_scenario": 1, "name": "matrix", "start": "2026-05-16T08:00:00Z", "duration": "2 h",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "2 h", "speed": "1.4 m/s", "heading": "40 deg"}]},
       "devices": ["location.gnss", "location.wifi", "motion.accelerometer", "radio.ble"]}
      """
    let scenario = try ScenarioReader.scenario(of: Array(text.utf8), source: "matrix", requests: .inFiles)
    return ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
  }

  // MARK: The matrix

  @Test("X01: a request is accepted exactly when its client has the permission", arguments: Entry.allCases)
  func begin(entry: Entry) async throws {
    for state in Self.states {
      try await withStage(entry, state.permissions) { stage in
        for (number, kind) in Self.kinds.enumerated() {
          let code = try await stage.ask(kind, number)
          #expect(code == Self.refusal(kind.need, state.name), "\(kind), \(state.name)")
        }
        try await stage.bus.advance(by: .seconds(30))
        for device in Set(Self.kinds.compactMap(\.device)) {
          let isWanted = Self.kinds.contains { kind in
            kind.device == device && Self.refusal(kind.need, state.name) == nil
          }
          #expect(try await stage.serves(device) == isWanted, "\(device), \(state.name)")
        }
        // Coarse positions come from the coarser device.
        if state.name == "coarse" { #expect(try await !stage.isOn("location.gnss")) }
      }
    }
  }

  @Test(
    "X02: a running request ends when its permission is revoked, its device stops, and it begins again after",
    arguments: Entry.allCases)
  func revoked(entry: Entry) async throws {
    for (number, kind) in Self.kinds.enumerated() where kind.need != .nothing {
      try await withStage(entry, .always) { stage in
        #expect(try await stage.ask(kind, number) == nil)
        try await stage.bus.advance(by: .seconds(30))
        if let device = kind.device { #expect(try await stage.serves(device), "\(kind)") }
        try await stage.permit(.denied)
        try await stage.bus.advance(by: .seconds(1))
        if let device = kind.device { #expect(try await !stage.serves(device), "\(kind)") }
        if let program = stage.program {
          let end = try await program.line { $0.contains("\"ended\"") }
          #expect(Self.code(in: end) == "denied", "\(kind): \(end)")
        } else {
          guard case .failed(let failure) = stage.asked.withLock({ $0?.end }) else {
            Issue.record("\(kind) has no failure")
            return
          }
          #expect(failure.code == .denied)
        }
        #expect(try await stage.ask(kind, number + 100) == "denied")
        try await stage.permit(.always)
        #expect(try await stage.ask(kind, number + 200) == nil, "\(kind)")
      }
    }
  }

  @Test("L16: a request without the background flag works only in the foreground", arguments: Entry.allCases)
  func background(entry: Entry) async throws {
    for (number, kind) in Self.kinds.enumerated() {
      guard let device = kind.device else { continue }
      try await withStage(entry, .always) { stage in
        #expect(try await stage.ask(kind, number) == nil)
        try await stage.set(.background)
        try await stage.bus.advance(by: .seconds(60))
        #expect(try await stage.serves(device) == kind.worksInBackground, "\(kind)")
        try await stage.set(.foreground)
        try await stage.bus.advance(by: .seconds(30))
        #expect(try await stage.serves(device), "\(kind)")
      }
    }
  }

  @Test("F10: when a client leaves, its requests end; those of an app that outlive it continue")
  func detached() async throws {
    for entry in Entry.allCases {
      for (number, kind) in Self.kinds.enumerated() {
        guard let device = kind.device else { continue }
        try await withStage(entry, .always) { stage in
          #expect(try await stage.ask(kind, number) == nil)
          try await stage.bus.advance(by: .seconds(30))
          try await stage.leave()
          try await stage.bus.advance(by: .seconds(60))
          let isWanted = entry == .app && kind.outlives
          #expect(try await stage.serves(device) == isWanted, "\(kind), \(entry)")
        }
      }
    }
  }
}

/// A client program at the socket of a bus.
private struct Program: @unchecked Sendable {
  private final class Connection: @unchecked Sendable {
    var lines: ControlLines?
    init(_ lines: ControlLines) { self.lines = lines }
  }

  private let connection: Connection

  init(attach name: String, at path: String) async throws {
    connection = Connection(try ControlLines(at: path))
    try send(#"{"attach":{"name":"\#(name)"}}"#)
    _ = try await line { $0.contains("\"attached\"") }
  }

  func send(_ line: String) throws { try connection.lines?.send(line) }

  /// Waits for the first line that satisfies a condition.
  func line(_ isMeant: @escaping @Sendable (String) -> Bool) async throws -> String {
    let connection = connection
    return try await Spawner.runOnThread {
      Result { () throws(Problem) -> String in
        while let line = try connection.lines?.next() { if isMeant(line) { return line } }
        throw Problem(.silent, cause: "the connection ended")
      }
    }.get()
  }

  func leave() { connection.lines = nil }

  /// Asks the daemon one question.
  static func ask(_ question: String, at path: String) async throws -> String {
    try await Spawner.runOnThread {
      Result { () throws(Problem) -> String in
        let lines = try ControlLines(at: path)
        try lines.send(question)
        return try lines.next() ?? ""
      }
    }.get()
  }
}
