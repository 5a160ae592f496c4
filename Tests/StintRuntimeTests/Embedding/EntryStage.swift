import Stint
import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintServices
import StintSimulation
import StintUnits
import Testing

/// The origin of a client's requests: the app that embeds the bus, or a program at the socket of the bus.
enum Entry: String, CaseIterable, Sendable {
  case app, socket
}

/// A bus with one client, whose requests come from the app or from a program at the socket.
final class EntryStage: Sendable {
  let bus: Bus
  let app: Client
  let program: ClientProgram?
  let name: String
  /// The notices of the last accepted request of the app.
  let asked = Locked<Notices?>(nil)
  let path: String

  init(bus: Bus, app: Client, program: ClientProgram?, name: String, path: String) {
    self.bus = bus
    self.app = app
    self.program = program
    self.name = name
    self.path = path
  }

  /// Makes a request, and returns the code of the refusal; nil when the request is accepted.
  func ask(_ name: String, _ settings: String, _ number: Int) async throws -> String? {
    let settings = settings.isEmpty ? "" : ",\(settings)"
    let line = "{\"request\":{\"id\":\(number),\"kind\":\"\(name)\"\(settings)}}"
    if let program {
      try program.send(line)
      let answer = try await program.line { $0.contains("\"accepted\"") || $0.contains("\"problem\"") }
      return answer.contains("\"accepted\"") ? nil : Self.code(in: answer)
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
    let reply = try await ClientProgram.ask(
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

  /// Sends a query and waits for the answer. Then the bus has handled everything that the program did before.
  private func settle() async throws { _ = try await ClientProgram.ask(#"{"ask":"status"}"#, at: path) }

  func isOn(_ device: DeviceID) async throws -> Bool {
    try #require(await bus.devices().first { $0.name == device.path }).isOn
  }

  /// Returns whether a device serves the client. A device that works in short cycles may be off at
  /// this moment.
  func serves(_ device: DeviceID) async throws -> Bool {
    let name = program == nil ? app.name : name
    return try #require(await bus.devices().first { $0.name == device.path }).served.contains(name)
  }

  /// Returns the code in a line of the protocol.
  static func code(in line: String) -> String? {
    do throws(Problem) {
      let value = try JSONReader.value(of: line, source: "line")
      return (value["problem"] ?? value["ended"]?["problem"])?["code"]?.string
    } catch {
      return nil
    }
  }

  static func with(
    _ entry: Entry, _ permissions: Permissions, sensor: (any SensorPlugin)? = nil,
    _ body: (EntryStage) async throws -> Void
  ) async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let phone = try Self.phone()
    let bus = try await Bus(
      plugins: sensor.map { .linked([$0]) } ?? .devices(phone.linkedDevices()),
      clock: .virtual(from: phone.clockStart),
      facts: [AppFact("hike.left", .quantity(unit: "h"), range: 0...24)], files: files)
    let app = try await bus.attach("app", authorized: permissions)
    await app.setPresence(.foreground)
    var program: ClientProgram?
    if entry == .socket {
      program = try await ClientProgram(attach: "program", at: folder.at("control"))
    }
    let stage = EntryStage(bus: bus, app: app, program: program, name: "program", path: folder.at("control"))
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
    let scenario = try ScenarioReader.scenario(of: Array(text.utf8), source: "matrix", requests: .all)
    return ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
  }
}

/// A client program at the socket of a bus.
struct ClientProgram: @unchecked Sendable {
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
        throw Problem(.noValidAnswer, cause: "the connection ended")
      }
    }.get()
  }

  func leave() { connection.lines = nil }

  /// Sends one query to the control socket at a path, and returns the answer.
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
