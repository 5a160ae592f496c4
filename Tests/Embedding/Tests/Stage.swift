import Stint
import StintSimulation
import Testing

/// The way in which requests enter a bus: from the app that embeds the bus, or from a program at the bus's
/// socket.
enum Entry: String, CaseIterable, Sendable {
  case app, socket
}

/// Keeps the demands of the app until the end of the stage.
private actor Holding {
  private var ends: [CheckedContinuation<Void, Never>] = []
  private var isOver = false

  /// Returns after `release()` was called.
  func hold() async {
    guard !isOver else { return }
    await withCheckedContinuation { ends.append($0) }
  }

  func release() {
    isOver = true
    for end in ends { end.resume() }
    ends = []
  }
}

/// Resumes a continuation with the first of several results.
private final class Once: Sendable {
  private let continuation: Locked<CheckedContinuation<String?, Never>?>

  init(_ continuation: CheckedContinuation<String?, Never>) { self.continuation = Locked(continuation) }

  func resume(_ code: String?) {
    continuation.withLock { continuation in
      continuation?.resume(returning: code)
      continuation = nil
    }
  }
}

/// A client of a bus with the simulated phone. The client is the app or a program at the socket.
final class Stage: Sendable {
  let bus: Bus
  let app: Client
  let program: Program?
  private let path: String
  private let holding = Holding()
  private let asked = Locked<Notices?>(nil)
  private let demand = Locked<(any Error)?>(nil)

  private init(bus: Bus, app: Client, program: Program?, path: String) {
    self.bus = bus
    self.app = app
    self.program = program
    self.path = path
  }

  /// Opens a bus with the simulated phone on a walk, attaches a client, and closes the bus after `body`.
  static func with(
    _ entry: Entry, _ decision: Decision, _ body: (Stage) async throws -> Void
  ) async throws {
    let folder = Folder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let phone = phone()
    let bus = try await Bus(
      plugins: .linked(phone.plugins() + [SilentCarrier()]), clock: .virtual(from: phone.clockStart),
      files: files)
    let app = try await bus.attach("app", authorized: decision.permissions)
    await app.setPresence(.foreground)
    let program = entry == .socket ? try await Program(attach: "program", at: folder.at("control")) : nil
    let stage = Stage(bus: bus, app: app, program: program, path: folder.at("control"))
    if entry == .socket {
      try await stage.permit(decision)
      try await stage.set(.foreground)
    }
    do { try await body(stage) } catch { Issue.record("\(error)") }
    await stage.holding.release()
    program?.leave()
    await bus.close()
  }

  /// A phone on a walk of two hours, with a receiver, Wi-Fi positioning, an accelerometer and radios.
  static func phone() -> ReferencePhone {
    let leg = Leg(activity: .walking, duration: .hours(2), speed: 1.4, heading: 40)
    let scenario = Scenario(
      name: "walk", start: .epoch + .hours(24), duration: .hours(2),
      devices: [
        "location.gnss", "location.wifi", "motion.accelerometer", "radio.ble", "radio.cellular", "radio.wifi",
      ],
      origin: Kind.home, legs: [leg])
    return ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
  }

  var name: String { program == nil ? "app" : "program" }

  /// Makes a request, and returns the code of its refusal; nil when it is accepted.
  func ask(_ kind: Kind, _ number: Int) async throws -> String? {
    if let program {
      let settings = kind.settings.isEmpty ? "" : ",\(kind.settings)"
      program.send(#"{"request":{"id":\#(number),"kind":"\#(kind.name)"\#(settings)}}"#)
      let answer = try await program.line { line in
        (line.hasPrefix("{\"accepted\"") || line.hasPrefix("{\"problem\""))
          && (line.contains("\"id\":\(number),") || line.contains("\"id\":\(number)}"))
      }
      return Program.code(in: answer)
    }
    switch kind.request {
    case .service(let ask):
      do {
        let notices = try await ask(app, String(number))
        asked.withLock { $0 = notices }
        return nil
      } catch { return (error as? Problem)?.code.name }
    case .demand(let request): return await hold(request)
    }
  }

  /// Raises a demand that lasts until the end of the stage, and returns the code of its refusal.
  private func hold(_ request: DemandRequest) async -> String? {
    await withCheckedContinuation { answer in
      let once = Once(answer)
      Task { [self] in
        do {
          try await app.withDemand(request) { batches in
            once.resume(nil)
            async let reading: Void = { for try await _ in batches {} }()
            do { try await reading } catch { demand.withLock { $0 = error } }
            await holding.hold()
          }
        } catch { once.resume((error as? Problem)?.code.name) }
      }
    }
  }

  /// Returns the code of the failure with which the last accepted request ended.
  func end(of kind: Kind) async throws -> String? {
    if let program {
      return Program.code(in: try await program.line { $0.contains("\"ended\"") })
    }
    switch kind.request {
    case .service:
      guard case .failed(let failure) = asked.withLock({ $0?.end }) else { return nil }
      return failure.code.name
    case .demand:
      for _ in 0..<10_000 where demand.withLock({ $0 }) == nil { await Task.yield() }
      return (demand.withLock { $0 } as? Problem)?.code.name
    }
  }

  /// Returns the expected code of the refusal of a request; nil when it is accepted. The app and a program
  /// get the same code.
  func refusal(_ kind: Kind, _ decision: Decision) -> String? { decision.refusal(kind.need) }

  func permit(_ decision: Decision) async throws {
    guard program != nil else { return await app.authorize(decision.permissions) }
    let question = #"{"ask":"permit","client":"program","permission":\#(decision.json)}"#
    let reply = try await Program.ask(question, at: path)
    try #require(reply.contains(#""ok":true"#), "\(reply)")
  }

  func set(_ presence: Client.Presence) async throws {
    guard let program else { return await app.setPresence(presence) }
    program.send(#"{"presence":"\#(presence.rawValue)"}"#)
    try await settle()
  }

  func leave() async throws {
    guard let program else { return await app.detach() }
    program.leave()
    try await settle()
  }

  /// Sends a query and waits for its answer. By then, the bus has handled everything that the program did.
  private func settle() async throws { _ = try await Program.ask(#"{"ask":"status"}"#, at: path) }

  /// Returns whether a device serves the client. A device that works in short cycles serves the client even
  /// while the device is off between two cycles.
  func serves(_ device: DeviceID) async throws -> Bool {
    try #require(await bus.devices().first { $0.name == device.path }).served.contains(name)
  }

  /// Returns the names of the devices that serve the client, or for which the client waits.
  func devices() async -> [String] {
    await bus.devices().filter { device in
      device.served.contains(name)
        || device.waiting.contains { $0.client == name && $0.status != "undecided" }
    }.map(\.name)
  }

  /// Returns the number of running requests of the client.
  func running() async throws -> Int {
    try await Program.requests(of: name, at: path).running
  }

  /// Waits for the result of the latest request for one fix, and returns it.
  func fix() async throws -> FixResult {
    if let program {
      let line = try await program.line {
        $0.contains(#""fixes":"#) || $0.contains(#""unanswered":"#) || $0.contains(#""ended":"#)
      }
      return try FixResult(line: line)
    }
    let notices = try #require(asked.withLock { $0 })
    for await notice in notices {
      switch notice {
      case LocationNotice.answer(let fix): return .fix(accuracy: fix.accuracy)
      case LocationNotice.unanswered(let failure, _): return .failed(failure.code.name, failure.sentence)
      default: continue
      }
    }
    switch notices.end {
    case .failed(let failure): return .failed(failure.code.name, failure.sentence)
    case let end: return .ended(end.map { "\($0)" } ?? "running")
    }
  }
}

/// A carrier that accepts every order and never reports a result.
actor SilentCarrier: TransferCarrier {
  nonisolated let manifest: Manifest

  init() {
    var manifest = Manifest(device: "net.files", kind: .source, title: "files")
    manifest.statedRoles = [.carrier]
    self.manifest = manifest
  }

  func open(_ port: DevicePort, at instant: Instant) {}
  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func close(at instant: Instant) {}
  func handle(_ order: TransferOrder, at instant: Instant) {}
}
