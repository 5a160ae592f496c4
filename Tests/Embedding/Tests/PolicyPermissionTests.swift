import Stint
import StintSimulation
import Testing

/// Tests each kind of request that the rules of a policy make, with each permission and presence of an app.
///
/// The requests of a policy have the authority of the operator who installed it, so no decision about an app
/// affects them. These requests also give nothing to an app: an app without permission gets no data from
/// them.
@Suite struct PolicyPermissionTests {
  /// A request that a rule makes, with the client that is charged for it.
  private struct Rule: Sendable {
    let line: String
    /// The client of the demand: the policy, or the client that the rule names.
    var client = "p"
    /// False for a request that is served only while an app is in the foreground.
    var worksInBackground = true

    static let all = [
      Rule(line: "rule r always { watch visits on wifi }"),
      Rule(line: "rule r always { watch moves on wifi }"),
      Rule(line: "rule r always { start orientation }", worksInBackground: false),
      Rule(
        line: #"rule r always { start gps for "guard" with { accuracy 10 m  background on } }"#,
        client: "guard"),
      Rule(
        line: #"rule r always { start gps for "app" with { accuracy 10 m  background on } }"#, client: "app"),
      Rule(line: #"rule r when motion.activity is walking { emit "walk" }"#),
      Rule(line: #"rule r when gps.accuracy > 200 m for 10 s { emit "poor" }"#),
    ]

    var policy: String {
      """
      policy "p" version 1
      use location.gnss as gps
      use location.wifi as wifi
      use motion.accelerometer as accel
      \(line)
      """
    }
  }

  /// A bus with the simulated phone, a policy with one rule, and an app that reads positions.
  private final class Scene: Sendable {
    let bus: Bus
    let app: Client
    private let rule: Rule

    init(_ rule: Rule, _ decision: Decision) async throws {
      self.rule = rule
      let phone = Stage.phone()
      bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
      app = try await bus.attach("app", authorized: decision.permissions)
      await app.setPresence(.foreground)
      try await bus.load(text: rule.policy)
    }

    /// Returns whether a device uses energy for the rule's request within half an hour.
    func works() async throws -> Bool {
      let before = await bus.energy().byClient[rule.client] ?? .zero
      for _ in 0..<30 {
        try await bus.advance(by: .seconds(60))
        if (await bus.energy().byClient[rule.client] ?? .zero) > before { return true }
      }
      return false
    }

    /// Returns the number of positions that the app gets within a minute, and the code of a refusal or of an
    /// end.
    func read() async throws -> (positions: Int, code: String?) {
      let counter = Locked(0)
      let ended = Locked<String?>(nil)
      let updates = LocationUpdates(accuracy: .meters(10), pausing: false)
      do throws(Problem) {
        let notices = try await app.ask("way", for: updates)
        let reading = Task {
          do { for try await _ in notices.fixes { counter.withLock { $0 += 1 } } } catch {
            ended.withLock { $0 = (error as? Problem)?.code.name }
          }
        }
        try await bus.advance(by: .seconds(60))
        await app.end("way")
        await reading.value
      } catch { return (0, error.code.name) }
      return (counter.withLock { $0 }, ended.withLock { $0 })
    }
  }

  @Test(
    "X01: a policy's request works with every permission of an app, and gives the app no position",
    arguments: Rule.all.indices)
  func begin(number: Int) async throws {
    let rule = Rule.all[number]
    for decision in Decision.all {
      let scene = try await Scene(rule, decision)
      #expect(try await scene.works(), "\(rule.line), \(decision.name)")
      let result = try await scene.read()
      let code = decision.refusal(.location(.whenInUse))
      #expect(result.code == code, "\(rule.line), \(decision.name)")
      // An app with a permission for coarse positions gets a position of the cheapest device.
      #expect((result.positions > 0) == (code == nil), "\(rule.line), \(decision.name): \(result)")
      await scene.bus.close()
    }
  }

  @Test(
    "X02: a policy's request continues while an app's permission is revoked and restored, and after it leaves",
    arguments: Rule.all.indices)
  func changes(number: Int) async throws {
    let rule = Rule.all[number]
    let scene = try await Scene(rule, .allowed)
    #expect(try await scene.works(), "\(rule.line)")
    await scene.app.authorize(.denied)
    #expect(try await scene.works(), "\(rule.line), revoked")
    #expect(try await scene.read() == (0, "denied"), "\(rule.line), revoked")
    await scene.app.authorize(.always)
    #expect(try await scene.works(), "\(rule.line), restored")
    #expect(try await scene.read().positions > 0, "\(rule.line), restored")
    await scene.app.setPresence(.background)
    #expect(try await scene.works() == rule.worksInBackground, "\(rule.line), background")
    #expect(try await scene.read() == (0, nil), "\(rule.line), background")
    await scene.app.detach()
    #expect(try await scene.works(), "\(rule.line), detached")
    #expect(try await scene.read() == (0, "detached"), "\(rule.line), detached")
    await scene.bus.close()
  }

  private static let start = """
    policy "p" version 1
    use radio.cellular as net
    rule r always { start net }
    """

  @Test("X01: a rule starts a transfer task exactly when the app of the task may use the network")
  func transfers() async throws {
    for decision in Decision.all {
      let orders = Locked(0)
      let phone = Stage.phone()
      let bus = try await Bus(
        plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart),
        onOrder: { _, _, _ in orders.withLock { $0 += 1 } })
      let app = try await bus.attach("app", authorized: decision.permissions)
      await app.setPresence(.foreground)
      try await bus.load(text: Self.start)
      let mail = TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000)
      let code: String?
      do throws(Problem) {
        _ = try await app.ask("sync", for: TransferConfiguration())
        try await app.send("sync", TransferCommand.create("mail", mail))
        code = nil
      } catch { code = error.code.name }
      try await bus.advance(by: .minutes(30))
      #expect(code == decision.refusal(.network), "\(decision.name)")
      #expect((orders.withLock { $0 } > 0) == (code == nil), "\(decision.name)")
      await bus.close()
    }
  }

  @Test("X02: a rule starts no transfer task of an app whose permission is revoked, or that is not resumed")
  func revokedTransfers() async throws {
    let orders = Locked(0)
    let phone = Stage.phone()
    let bus = try await Bus(
      plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart),
      onOrder: { _, _, _ in orders.withLock { $0 += 1 } })
    let app = try await bus.attach("app", authorized: .always)
    await app.setPresence(.foreground)
    let mail = TransferRequest(.download(from: "https://mail.example/a"), bytesDown: 9000)
    let notices = try await app.ask("sync", for: TransferConfiguration())
    try await app.send("sync", TransferCommand.create("mail", mail))
    try await bus.advance(by: .minutes(30))
    #expect(orders.withLock { $0 } == 0)
    await app.authorize(.denied)
    try await bus.load(text: Self.start)
    try await bus.advance(by: .minutes(30))
    #expect(orders.withLock { $0 } == 0)
    guard case .failed(let failure)? = notices.end else {
      Issue.record("the session continues: \(String(describing: notices.end))")
      return
    }
    #expect(failure.code.name == "denied")
    await app.authorize(.always)
    _ = try await app.ask("again", for: TransferConfiguration())
    try await app.send("again", TransferCommand.create("mail", mail))
    try await bus.advance(by: .minutes(30))
    #expect(orders.withLock { $0 } > 0)
    await bus.close()
  }
}
