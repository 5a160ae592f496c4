import Foundation
import Stint
import Testing

/// Tests each kind of request that a scenario file can declare: with each permission, and in the background.
@Suite struct ScenarioPermissionTests {
  private static let kinds = Kind.all

  /// A scenario file: a walk of ten minutes with one client per kind, named `client-0` and so on.
  private struct File: ~Copyable {
    let folder = Folder()
    var path: String { folder.at("scenario.json") }

    /// Runs the scenario without policies, and returns the report.
    func simulate() throws -> Simulation { try Tool.simulate(path) }

    /// - Parameters:
    ///   - decision: the permission of the clients; nil gives each client the permissions with which its
    ///     request continues to run.
    ///   - members: further members of each request.
    ///   - facts: the changes of facts, as the file writes them.
    init(_ decision: Decision?, members: String = "", facts: String = "") throws {
      let clients = kinds.enumerated().map { number, kind in
        let with = kind.settings.isEmpty ? "" : #","with":{\#(kind.settings)}"#
        return #"{"name":"client-\#(number)","permission":\#((decision ?? kind.running).json),"#
          + #""background":true,"services":[{"name":"it","kind":"\#(kind.name)"\#(members)\#(with)}]}"#
      }
      try folder.write(
        "scenario.json",
        #"""
        {"stint_scenario":1,"name":"walk","start":"2026-05-16T08:00:00Z","duration":"10 min",
         "devices":["host.app","location.gnss","location.wifi","motion.accelerometer","radio.ble",
                    "radio.cellular","radio.wifi"],
         "world":{"origin":[47.05,8.31],
                  "legs":[{"activity":"walking","for":"10 min","speed":"1.4 m/s","heading":"40 deg"}]},
         "facts":[\#(facts)],"clients":[\#(clients.joined(separator: ","))]}
        """#)
    }
  }

  @Test(
    "X01: a scenario's request without its permission, and a transfer session, are refused and use no device"
  )
  func begin() throws {
    for decision in Decision.all {
      let report = try File(decision).simulate()
      for (number, kind) in Self.kinds.enumerated() {
        let refusals = (report.refusals ?? []).filter { $0.contains("“client-\(number)”") }
        // In a simulation, nothing carries out the transfers of a session.
        let isRefused = decision.refusal(kind.need) != nil || kind.name == "transfers"
        #expect(refusals.count == (isRefused ? 1 : 0), "\(kind), \(decision.name): \(refusals)")
        let isServed = !isRefused && kind.usesDevice(decision)
        #expect(report.used(by: "client-\(number)") == isServed, "\(kind), \(decision.name)")
      }
    }
  }

  @Test("L16: in the background, a scenario's request uses a device only if its kind may work there")
  func background() throws {
    let away = #"{"at":"0 s","set":{"app.state":"background"}}"#
    let back = #"{"at":"5 min","set":{"app.state":"foreground"}}"#
    let background = try File(.allowed, facts: away).simulate()
    let returned = try File(.allowed, facts: "\(away),\(back)").simulate()
    for (number, kind) in Self.kinds.enumerated() where kind.usesDevice(.allowed) {
      #expect(background.used(by: "client-\(number)") == kind.worksInBackground, "\(kind)")
      // The request `fix` times out after one minute, and the app returns after five minutes.
      let isServed = kind.worksInBackground || kind.name != "fix"
      #expect(returned.used(by: "client-\(number)") == isServed, "\(kind)")
    }
  }

  @Test("F10: a scenario's request that ends after 1 s gets samples only until its end")
  func ended() throws {
    let short = try File(.allowed, members: #","from":"10 s","until":"11 s""#).simulate()
    let whole = try File(.allowed, members: #","from":"10 s""#).simulate()
    for number in Self.kinds.indices {
      let (few, all) = (short.deliveries["client-\(number)"], whole.deliveries["client-\(number)"])
      #expect(few?.samples ?? 0 <= (all?.samples ?? 0) / 10 + 60, "\(Self.kinds[number])")
    }
  }

  @Test(
    "X02: a scenario's requests wait, with the reason, while permission is denied; a new grant resumes them"
  )
  func revoked() async throws {
    let file = try File(nil)
    try file.folder.write("none.stint", "policy \"none\" version 1\n")
    let control = file.folder.at("control")
    let run = try Tool(
      "run", "--policies", file.folder.at("none.stint"), "--simulate", file.path, "--control", control)
    try await Program.listening(at: control)
    for (number, kind) in Self.kinds.enumerated() where kind.need != .nothing && kind.name != "transfers" {
      let name = "client-\(number)"
      func permit(_ decision: Decision) async throws -> Program.Requests {
        let reply = try await Program.ask(
          #"{"ask":"permit","client":"\#(name)","permission":\#(decision.json)}"#, at: control)
        try #require(reply.contains(#""ok":true"#), "\(reply)")
        return try await Program.requests(of: name, at: control)
      }
      #expect(try await Program.requests(of: name, at: control).running == 1, "\(kind)")
      let revoked = try await permit(.denied)
      #expect(revoked.running == 0 && revoked.waiting.count == 1, "\(kind)")
      #expect(revoked.waiting.first?.hasPrefix("the user refused ") == true, "\(kind): \(revoked.waiting)")
      let restored = try await permit(kind.running)
      #expect(restored.running == 1 && restored.waiting.isEmpty, "\(kind): \(restored.waiting)")
    }
    _ = consume run
  }
}

extension Kind {
  /// Returns whether an accepted request uses a device within ten minutes of walking.
  fileprivate func usesDevice(_ decision: Decision) -> Bool {
    switch name {
    case "permission", "transfers": false
    // The request waits for the decision.
    case "fix": decision.permissions.location > .undecided
    default: true
    }
  }
}
