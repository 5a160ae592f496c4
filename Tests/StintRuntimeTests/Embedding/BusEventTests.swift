import Stint
import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

/// The typed subjects of the events of a bus.
@Suite("the kinds of events")
struct BusEventTests {
  private static let policy = """
    policy "p" version 1
    use location.gnss as gps
    rule rest "in the background, positions pause" while app.state is background {
      pause gps
    }
    rule noted "an app that continues in the background is named" when app.state is background {
      emit "left"
    }
    """

  @Test("each decision, refusal, failure and client of a bus is an event with its typed subject")
  func kinds() async throws {
    let folder = TemporaryFolder()
    var files = Bus.Files()
    files.control = folder.at("control")
    let events = Locked<[Bus.Event]>([])
    let phone = try ReferencePhone(
      BuiltInScenarios.scenario(named: "day-hike"), seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart), files: files,
      onEvent: { event in events.withLock { $0.append(event) } })
    try await bus.load(text: Self.policy)
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10), background: true))
    try await bus.advance(by: .seconds(5))
    await app.setPresence(.background)
    await #expect(throws: Problem.self) { try await app.ask("bad", for: FixRequest(accuracy: .meters(-1))) }
    await #expect(throws: Problem.self) { try await app.send("way", LocationCommand.setFilter(.meters(-1))) }
    _ = try await app.ask("late", for: LocationUpdates(accuracy: .meters(10), background: true))
    await app.authorize(.denied)
    let program = try await ClientProgram(attach: "program", at: folder.at("control"))
    program.leave()
    _ = try await ClientProgram.ask(#"{"ask":"status"}"#, at: folder.at("control"))
    await bus.close()
    _ = notices
    let all = events.withLock { $0 }
    let rule = RuleID(policy: "p", rule: "noted")
    let wanted: [(String, (RunEvent) -> Bool)] = [
      ("on", { if case .setting("location.gnss", let setting, _) = $0 { setting.isOn } else { false } }),
      ("off", { if case .setting("location.gnss", let setting, _) = $0 { !setting.isOn } else { false } }),
      (
        "paused",
        {
          guard case .grant("app", "location.gnss", let grant) = $0 else { return false }
          return grant.status == .paused && grant.rules == [RuleID(policy: "p", rule: "rest")]
        }
      ),
      ("released", { $0 == .release("app", "location.gnss") }),
      ("act", { $0 == .act(rule, .emit("left")) }),
      (
        "refused request",
        {
          guard case .refusedRequest("app", "bad", let problem) = $0 else { return false }
          return problem.code == .invalid && problem.place.name == "bad"
        }
      ),
      (
        "refused command",
        {
          guard case .refusedCommand("app", "way", let problem) = $0 else { return false }
          return problem.code == .invalid
        }
      ),
      (
        "failed request",
        {
          guard case .failedRequest("app", "late", let problem) = $0 else { return false }
          return problem.code == Problem.Code("denied")
        }
      ),
      ("attached", { $0 == .attached("program") }), ("left", { $0 == .left("program") }),
      ("message", { $0 == .message }),
    ]
    for (name, isWanted) in wanted {
      let found = all.filter { isWanted($0.kind) }
      #expect(!found.isEmpty, "\(name)")
      #expect(found.allSatisfy { !$0.text.isEmpty && $0.description == $0.text }, "\(name)")
    }
    // The text of a decision names the device of its subject, so that both describe the same event.
    for case (.setting(let device, _, _), let text) in all.map({ ($0.kind, $0.text) }) {
      #expect(text.contains("set \(device.path) "), "\(text)")
    }
    #expect(all.filter { $0.level == .decision }.allSatisfy { $0.kind != .message })
  }

  @Test("held samples, transfers, state machines and services of rules are events with their typed subjects")
  func devices() async throws {
    let events = Locked<[Bus.Event]>([])
    let phone = try ReferencePhone(
      BuiltInScenarios.scenario(named: "day-hike"), seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .devices(phone.linkedDevices()), clock: .virtual(from: phone.clockStart),
      onOrder: { _, _, _ in }, onEvent: { event in events.withLock { $0.append(event) } })
    try await bus.load(
      text: """
        policy "q" version 1
        use motion.accelerometer as motion
        use location.wifi as wifi
        rule batched always { batch motion until 20 s }
        rule watching while app.state is background { watch visits on wifi }
        machine trip starts near {
          state near { goto far when app.state is background }
          state far { goto near when app.state is foreground }
        }
        """)
    let app = try await bus.attach("app", authorized: .always, mayBackground: true)
    _ = try await app.ask("sync", for: TransferConfiguration())
    let mail = TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000)
    try await app.send("sync", TransferCommand.create("mail", mail))
    try await app.send("sync", TransferCommand.resume("mail"))
    let request = MotionRequest(.acceleration, .push(latency: .seconds(30)), interval: .seconds(1))
    _ = try await app.ask("motion", for: request)
    try await bus.advance(by: .seconds(60))
    await app.setPresence(.background)
    try await bus.advance(by: .seconds(1))
    await app.setPresence(.foreground)
    try await bus.advance(by: .seconds(1))
    await bus.close()
    let all = events.withLock { $0.map(\.kind) }
    let services = all.compactMap { kind -> Bool? in
      if case .ruleService(_, let isRunning) = kind { isRunning } else { nil }
    }
    #expect(services == [true, false])
    let states = all.compactMap { kind in
      if case .machine(let name, let state) = kind { "\(name) \(state)" } else { nil }
    }
    #expect(states == ["q/trip far", "q/trip near"])
    #expect(
      all.contains { if case .delivery("motion.accelerometer", _) = $0 { true } else { false } })
    #expect(all.contains { if case .transfers(_, let demands, _) = $0 { demands.count == 1 } else { false } })
  }

  @Test("a fault of a device is an event with this device")
  func fault() async throws {
    let events = Locked<[Bus.Event]>([])
    let receiver = try FlakyReceiver()
    let bus = try await Bus(
      plugins: .linked([receiver]), clock: .virtual,
      onEvent: { event in events.withLock { $0.append(event) } })
    let app = try await bus.attach("app", authorized: .always)
    await receiver.set(.failing)
    _ = try await app.ask("way", for: LocationUpdates(accuracy: .meters(10)))
    try await bus.advance(by: .seconds(3))
    await bus.close()
    let faults = events.withLock { $0.filter { $0.kind == .fault("location.gnss") } }
    #expect(faults.count == 3)
    #expect(faults.allSatisfy { $0.text.contains("the chip does not answer") })
  }
}
