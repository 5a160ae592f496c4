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
    Kind(
      name: "visits", settings: "", need: .preciseLocation(.always), outlives: true, worksInBackground: true),
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

  // MARK: The matrix

  @Test("X01: a request is accepted exactly when its client has the permission", arguments: Entry.allCases)
  func begin(entry: Entry) async throws {
    for state in Self.states {
      try await EntryStage.with(entry, state.permissions) { stage in
        for (number, kind) in Self.kinds.enumerated() {
          let code = try await stage.ask(kind.name, kind.settings, number)
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
      try await EntryStage.with(entry, .always) { stage in
        #expect(try await stage.ask(kind.name, kind.settings, number) == nil)
        try await stage.bus.advance(by: .seconds(30))
        if let device = kind.device { #expect(try await stage.serves(device), "\(kind)") }
        try await stage.permit(.denied)
        try await stage.bus.advance(by: .seconds(1))
        if let device = kind.device { #expect(try await !stage.serves(device), "\(kind)") }
        if let program = stage.program {
          let end = try await program.line { $0.contains("\"ended\"") }
          #expect(EntryStage.code(in: end) == "denied", "\(kind): \(end)")
        } else {
          guard case .failed(let failure) = stage.asked.withLock({ $0?.end }) else {
            Issue.record("\(kind) has no failure")
            return
          }
          #expect(failure.code == .denied)
        }
        #expect(try await stage.ask(kind.name, kind.settings, number + 100) == "denied")
        try await stage.permit(.always)
        #expect(try await stage.ask(kind.name, kind.settings, number + 200) == nil, "\(kind)")
      }
    }
  }

  @Test("L16: a request without the background flag works only in the foreground", arguments: Entry.allCases)
  func background(entry: Entry) async throws {
    for (number, kind) in Self.kinds.enumerated() {
      guard let device = kind.device else { continue }
      try await EntryStage.with(entry, .always) { stage in
        #expect(try await stage.ask(kind.name, kind.settings, number) == nil)
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
        try await EntryStage.with(entry, .always) { stage in
          #expect(try await stage.ask(kind.name, kind.settings, number) == nil)
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
