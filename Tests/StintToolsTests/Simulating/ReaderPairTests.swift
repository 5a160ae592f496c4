import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Shipped policies beside clients of the sensors that they read")
struct ReaderPairTests {
  /// The demands of the second client of a sensor.
  private enum Client: CaseIterable {
    case fast, every30Seconds, every10Minutes
    /// Three minutes of every ten.
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

  /// The permitted difference for each activation: one sampling period of the slowest reading.
  private static let tolerance = 10.0

  private let workshop = TemporaryFiles()

  /// Four hours: a walk, a rest, a walk, a drive, a rest; one app demands positions.
  private func run(_ policy: String, _ demands: String) throws -> SimulationReport {
    let client = demands.isEmpty ? "" : #", {"name": "second", "demands": [\#(demands)]}"#
    let scenario = try workshop.file(
      "pair.json",
      """
      {"stint_scenario": 1, "name": "pair", "start": "2026-05-18T09:00:00+02:00", "duration": "4 h",
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
    "each rule is in force equally long with any second client of the accelerometer or of the receiver",
    arguments: policies)
  func pairs(policy: String) throws {
    let alone = try run(policy, "")
    #expect(!alone.rules.isEmpty)
    for sensor in ["motion.accelerometer", "location.gnss"] {
      for client in Tier.current == .unit ? [Client.comingAndGoing] : Client.allCases {
        let beside = try run(policy, client.demands(on: sensor))
        for (rule, activity) in alone.rules {
          let other = try #require(beside.rules[rule])
          let difference = abs((activity.inForce - other.inForce).seconds)
          #expect(difference <= Self.tolerance, "\(rule), \(client) of \(sensor): \(difference) s")
          #expect(abs(activity.activations - other.activations) <= 1, "\(rule), \(client) of \(sensor)")
        }
        #expect(beside.ledger.isBalanced && beside.unexplained == .zero)
        // A second client shares the energy of the sensor. Its departures can cost the reader a wake-up each.
        let names = Set(alone.rules.keys.map { ClientID($0.policy) })
        func joules(_ report: SimulationReport) -> Double {
          names.reduce(0) { $0 + (report.ledger.byClient[$1] ?? .zero).joules }
        }
        let most = joules(alone) + (client == .comingAndGoing ? 24 * 0.03 : 0) + 0.01
        #expect(joules(beside) <= most, "\(client) of \(sensor): \(joules(beside)) J")
      }
    }
  }
}
