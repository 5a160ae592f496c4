import StintAuthoring
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Shipped policies beside clients of the sensors that they read")
struct ReaderPairTests {
  /// The demands of the second client of a sensor.
  private enum Client: CaseIterable {
    case fast, every30Seconds, every10Minutes
    /// Demands samples during three of every ten minutes.
    case comingAndGoing

    func demands(on sensor: String) -> String {
      func demand(_ rate: String, _ times: String = "") -> String {
        #"{"target": "\#(sensor)", \#(times)"with": {"rate": "\#(rate)", "background": true}}"#
      }
      switch self {
      case .fast: return demand("1 Hz")
      case .every30Seconds: return demand("1 per 30 s")
      case .every10Minutes: return demand("1 per 10 min")
      case .comingAndGoing:
        return (0..<24).map {
          demand("1 Hz", #""from": "\#($0 * 10) min", "until": "\#($0 * 10 + 3) min", "#)
        }
        .joined(separator: ", ")
      }
    }
  }

  /// The permitted difference of the time in force, in seconds: the longest sampling period of a reading.
  private static let tolerance = 10.0

  private let temporaryFiles = TemporaryFiles()

  /// Simulates four hours: a walk, a rest, a walk, a drive, a rest. One app demands positions.
  private func run(
    _ policy: String, _ demands: String, hasAccelerometer: Bool = true
  ) throws -> SimulationReport {
    let devices = try ReferencePhone.manifests().map(\.device.path)
      .filter { hasAccelerometer || $0 != "motion.accelerometer" }
      .map { "\"\($0)\"" }.joined(separator: ", ")
    let client = demands.isEmpty ? "" : #", {"name": "second", "demands": [\#(demands)]}"#
    let scenario = try temporaryFiles.file(
      "pair.json",
      """
      {"stint_scenario": 1, "name": "pair", "start": "2026-05-18T09:00:00+02:00", "duration": "4 h",
       "devices": [\(devices)],
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "walking", "for": "30 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "still", "for": "90 min", "sky": "open"},
         {"activity": "walking", "for": "30 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "automotive", "for": "40 min", "speed": "14 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "still", "for": "50 min", "sky": "open"}]},
       "clients": [
         {"name": "x", "demands": [{"target": "location.gnss", "with": {"accuracy": "5 m", "background": true}}]}
         \(client)],
       "facts": [
         {"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    return try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report
  }

  /// All policies in the gate tier, one in the unit tier.
  private static let policies: [String] = {
    let all = (try? Folder.policies(at: Repository.path("policies"))) ?? []
    return Array(all.prefix(Trials(max(all.count * 10, 1), fewest: 1).count))
  }()

  @Test(
    "each rule is in force equally long without and with a second client of the accelerometer or receiver",
    arguments: policies)
  func pairs(policy: String) throws {
    let alone = try run(policy, "")
    #expect(!alone.rules.isEmpty)
    let needs = try Self.needs(policy)
    var table = ReaderTable(policy, needs)
    table.add(alone, beside: "no client")
    try comparePredicted(policy, needs, alone, "no client")
    for sensor in ["motion.accelerometer", "location.gnss"] {
      for client in Tier.current == .unit ? [Client.comingAndGoing] : Client.allCases {
        let beside = try run(policy, client.demands(on: sensor))
        try compare(alone, beside, "\(client) of \(sensor)")
        table.add(beside, beside: "\(client) of \(sensor)")
        try comparePredicted(policy, needs, beside, "\(client) of \(sensor)")
        // A second client shares the energy of the sensor, and pays for the deliveries when its demand ends.
        let names = Set(alone.rules.keys.map { ClientID($0.policy) })
        func joules(_ report: SimulationReport) -> Double {
          names.reduce(0) { $0 + (report.ledger.byClient[$1] ?? .zero).joules }
        }
        let most = joules(alone) + 0.01
        #expect(joules(beside) <= most, "\(client) of \(sensor): \(joules(beside)) J")
      }
    }
    guard Tier.current >= .long else { return }
    try Snapshot.compare(table.text, with: "Readings/\(table.policy).txt")
  }

  private static func needs(_ policy: String) throws -> [ReadingNeed] {
    PolicyCheck(
      [SourceText(file: policy, bytes: try FileText.read(policy))],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests())
    ).readings
  }

  /// Expects that a policy pays at most the energy that `check` predicts for its readings. Policies with
  /// demands of their own are left out, because the ledger charges these demands to the same client.
  private func comparePredicted(
    _ policy: String, _ needs: [ReadingNeed], _ report: SimulationReport, _ client: String
  ) throws {
    let lines = String(decoding: try FileText.read(policy), as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = ["start", "fix", "watch"]
    guard !lines.contains(where: { words.contains(String($0.split(separator: " ").first ?? "")) }) else {
      return
    }
    let predicted = needs.reduce(Energy.zero) { sum, need in
      // A reading without a guard begins once. Other readings begin an unknown number of times within the
      // four hours.
      let isSteady = need.guards.isEmpty && !need.isPlace
      return sum + (isSteady ? need.perHour * 4 + need.perBeginning : need.maxPerDay)
    }
    let names = Set(report.rules.keys.map { ClientID($0.policy) })
    let charged = names.reduce(Energy.zero) { $0 + (report.ledger.byClient[$1] ?? .zero) }
    #expect(charged <= predicted, "\(client): \(charged) of \(predicted)")
  }

  /// Returns whether a policy requires the accelerometer. A phone without an accelerometer cannot run such a
  /// policy.
  private static func requiresAccelerometer(_ policy: String) throws -> Bool {
    String(decoding: try FileText.read(policy), as: UTF8.self).split(separator: "\n").contains {
      $0.hasPrefix("use motion.accelerometer") && $0.hasSuffix("required")
    }
  }

  @Test(
    "without an accelerometer, policies that require it are refused; other policies work with any client",
    arguments: policies)
  func withoutAccelerometer(policy: String) throws {
    guard try !Self.requiresAccelerometer(policy) else {
      let refusal = #expect(throws: PolicyRefusal.self) { try run(policy, "", hasAccelerometer: false) }
      let text = refusal.map { "\($0)" } ?? ""
      #expect(text.contains("P0202") && text.contains("motion.accelerometer"), "\(text)")
      return
    }
    let alone = try run(policy, "", hasAccelerometer: false)
    #expect(alone.ledger.byDevice["motion.accelerometer"] == nil)
    for client in Tier.current == .long ? Client.allCases : [.comingAndGoing] {
      let beside = try run(policy, client.demands(on: "location.gnss"), hasAccelerometer: false)
      try compare(alone, beside, "\(client)")
    }
  }

  /// Expects that each rule is in force equally long in two runs.
  private func compare(_ alone: SimulationReport, _ beside: SimulationReport, _ client: String) throws {
    for (rule, activity) in alone.rules {
      let other = try #require(beside.rules[rule])
      let difference = abs((activity.inForce - other.inForce).seconds)
      #expect(difference <= Self.tolerance, "\(rule), \(client): \(difference) s")
      // A rule that follows the speed of a drive acts about a thousand times; a few samples differ.
      let most = 1 + activity.activations / 500
      #expect(abs(activity.activations - other.activations) <= most, "\(rule), \(client)")
    }
    #expect(beside.ledger.isBalanced && beside.unexplained == .zero)
  }
}

/// The minutes in force and the energy of each rule that reads sensors, alone and with each second client.
///
/// The energy of a rule includes its part of the demands of clients that it limits, which is not predicted.
private struct ReaderTable {
  let policy: String
  private let readers: [(rule: RuleID, devices: String, predicted: Energy)]
  private var lines: [[String]]

  init(_ path: String, _ needs: [ReadingNeed]) {
    policy = path.split(separator: "/").last.map { String($0.dropLast(".stint".count)) } ?? path
    var rules: [RuleID] = []
    for need in needs where rules.last != need.rule { rules.append(need.rule) }
    readers = rules.map { rule in
      let own = needs.filter { $0.rule == rule }
      let devices = Set(own.flatMap(\.devices).map(\.path)).sorted().joined(separator: ", ")
      return (rule, devices, own.reduce(.zero) { $0 + $1.maxPerDay })
    }
    lines = Array(repeating: [], count: readers.count)
  }

  mutating func add(_ report: SimulationReport, beside client: String) {
    for (place, reader) in readers.enumerated() {
      let minutes = ((report.rules[reader.rule]?.inForce.seconds ?? 0) / 6).rounded() / 10
      let joules = ((report.ledger.byRule[reader.rule] ?? .zero).joules * 100).rounded() / 100
      lines[place].append("  \(client): \(minutes) min, \(joules) J\n")
    }
  }

  var text: String {
    guard !readers.isEmpty else { return "No rule of \(policy) reads a sensor.\n" }
    return zip(readers, lines).map { reader, lines in
      let joules = (reader.predicted.joules * 10).rounded(.up) / 10
      return "\(reader.rule) reads \(reader.devices), at most \(joules) J per day\n" + lines.joined()
    }.joined()
  }
}
