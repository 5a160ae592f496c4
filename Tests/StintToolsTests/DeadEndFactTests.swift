import StintLanguage
import StintModel
import StintSimulation
import StintTools
import StintUnits
import Testing

@Suite("Facts of a device that a policy switches off")
struct DeadEndFactTests {
  private static func check(_ body: String) throws -> PolicyCheck {
    let text = """
      policy "p" version 1
      use location.gnss as gps
      use location.wifi as wifi
      zone home = circle 47.05 8.31 radius 250 m
      budget trail = 1 kJ per day on gps { at 90 % { downgrade gps to 50 m } }
      budget both = 1 kJ per day on [gps, wifi] { at 90 % { downgrade gps to 50 m } }
      \(body)

      """
    return PolicyCheck(
      [SourceText(file: "p.stint", text: text)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
  }

  private static func found(_ code: String, in body: String) throws -> [Diagnostic] {
    let check = try check(body)
    try #require(
      check.diagnostics.allSatisfy { $0.severity != .error || $0.code == .noWayBack }, "\(check.text())")
    return check.diagnostics.filter { $0.code.name == code }
  }

  private static func machine(enters: String = "screen.on", does: String = "stop gps", exit: String) -> String
  {
    """
    machine m starts run {
      state run { goto off_ when \(enters) }
      state off_ { \(does) goto run when \(exit) }
    }
    """
  }

  @Test(
    "a stop whose condition needs a value that the stopped device no longer changes is an error",
    arguments: [
      "not gps.powered for 5 min", "not gps.on for 5 min", "gps.state is off", "wakeups(gps) < 3 per h",
      "starts(gps) < 3 per h", "starts(gps) below 3 per h release 5 per h", "not gps.batch_done",
      "not used_by(gps, moves)", "unexplained(gps) > 1 min", "not known(gps.speed)",
      "demanded(gps) and gps.distance > 10 km", "demanded(gps)", "energy(gps) < 1 kJ", "trail < 80 %",
    ])
  func refused(condition: String) throws {
    for verb in ["stop", "pause"] {
      let found = try Self.found("P0601", in: "rule r while \(condition) { \(verb) gps }")
      #expect(found.count == 1)
      #expect(found.first?.hint?.contains("as in: \(verb) gps for 5 min") == true)
    }
  }

  @Test(
    "a stop whose condition ends with time, or by a client, a fault or another device, is accepted",
    arguments: [
      "gps.powered for 5 min", "wakeups(gps) > 3 per h", "starts(gps) > 3 per h",
      "starts(gps) above 3 per h release 1 per h", "energy(gps) > 500 J", "trail > 80 %", "both < 80 %",
      "not gps.failed", "gps.failed",
      "not heard(gps)", "wakeups() < 100 per h", "energy(moves) < 1 J", "not moves.watching",
      "unexplained > 1 min", "not wifi.powered for 5 min", "demanded(gps) for 10 min",
      "not demanded(gps)", "not (demanded(gps) for 1 min)",
    ])
  func accepted(condition: String) throws {
    for verb in ["stop", "pause"] {
      #expect(try Self.found("P0601", in: "rule r while \(condition) { \(verb) gps }").isEmpty)
    }
  }

  @Test(
    "a state that stops a device is an error when each exit needs a value that the device no longer changes",
    arguments: [
      "starts(gps) > 2 per h", "wakeups(gps) > 2 per h", "gps.powered for 1 min", "used_by(gps, moves)",
      "gps.batch_done",
    ])
  func trap(exit: String) throws {
    let found = try Self.found("P0601", in: Self.machine(exit: exit))
    #expect(found.count == 1)
    #expect(found.first?.title.contains("only location.gnss can change") == true)
    #expect(found.first?.hint?.hasSuffix("as in: goto run when m is off_ for 10 min") == true)
  }

  @Test(
    "a state that stops a device is accepted when time, a client or another device opens an exit",
    arguments: [
      "not demanded(gps)", "demanded(gps)", "starts(gps) < 2 per h", "not gps.powered for 1 min",
      "not heard(gps)", "gps.failed", "demanded(gps) for 10 min",
    ])
  func noTrap(exit: String) throws {
    #expect(try Self.found("P0601", in: Self.machine(exit: exit)).isEmpty)
  }

  @Test("two rules that wait for computed facts of each other's device are one error")
  func cycle() throws {
    let found = try Self.found(
      "P0601",
      in:
        "rule a while not wifi.powered for 1 min { stop gps }\nrule b while starts(gps) < 2 per h { pause wifi }"
    )
    #expect(found.count == 1)
    #expect(found.first?.hint?.hasSuffix("as in: stop gps for 5 min") == true)
  }

  @Test("the hint for two states that keep a device off leads out of both states")
  func hintOfTwoStates() throws {
    let found = try Self.found(
      "P0601",
      in: """
        machine m starts run {
          state half { pause gps goto full when battery.level < 50 % goto run when gps.speed > 1 m/s }
          state full { stop gps goto half when battery.level > 60 % }
          state run { goto half when screen.on }
        }
        """)
    #expect(found.map { $0.hint?.hasSuffix("as in: goto run when screen.on") } == [true])
  }

  @Test("the hint for rules in turn has the policy's name and the verb of the rule")
  func hintOfTurns() throws {
    let found = try Self.found(
      "P0601", in: "rule a while screen.on { pause gps }\nrule b while not screen.on { stop gps }")
    #expect(found.map { $0.hint?.hasSuffix("as in: pause gps for 5 min") } == [true])
  }

  @Test(
    "a machine whose transitions need crossings or a hold time does not oscillate, and its rate has a bound",
    arguments: [
      ("exit(home)", "enter(home)"), ("enter(home)", "enter(home)"),
      ("screen.on", "app.state is background for 20 s"),
      ("screen.on", "(app.state is background for 20 s) or (battery.level < 50 % for 1 min)"),
      ("screen.on", "screen.on } state c { goto run when screen.on for 20 s"),
    ])
  func limited(enters: String, exit: String) throws {
    var machine = Self.machine(enters: enters, does: "downgrade gps to 50 m", exit: exit)
    if machine.contains("state c") {
      machine.replace("goto run when screen.on }", with: "goto c when screen.on }")
    }
    let check = try Self.check("default gps { linger 1 s }\n\(machine)")
    #expect(
      check.diagnostics.filter { $0.severity == .error || $0.code == .oscillating }.isEmpty, "\(check.text())"
    )
    for bound in check.bounds {
      if case .unbounded(let reason) = bound.limit { Issue.record("\(bound.device): \(reason)") }
    }
    #expect(!check.bounds.isEmpty)
  }

  @Test(
    "a machine that can pass its states again and again without a crossing oscillates",
    arguments: [
      ("screen.on", "app.state is background"), ("enter(home) in last 5 min", "screen.on"),
      ("enter(home) or screen.on", "screen.on"),
    ])
  func oscillating(enters: String, exit: String) throws {
    let machine = Self.machine(enters: enters, does: "downgrade gps to 50 m", exit: exit)
    #expect(try Self.found("W0309", in: machine).count == 1)
  }

  @Test("a rule that needs an entry into and an exit from one zone at once is never active")
  func twoCrossings() throws {
    #expect(try Self.found("W0302", in: "rule r when enter(home) and exit(home) { emit \"x\" }").count == 1)
    let other =
      "zone work = circle 47.06 8.31 radius 250 m\nrule r when enter(home) and exit(work) { emit \"x\" }"
    #expect(try Self.found("W0302", in: other).isEmpty)
  }

  @Test("a counterexample has values near the limits of the policy")
  func values() throws {
    let found = try Self.found(
      "W0309",
      in: Self.machine(enters: "starts(gps) > 5 per h", exit: "starts(gps) > 2 per h or gps.accuracy > 50 m"))
    let text = found.first?.labels.first?.text ?? ""
    #expect(text == "true with starts(location.gnss) = 1 per 6 min", "\(found)")
  }
}
