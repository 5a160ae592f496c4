import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Tests each shipped policy without and with another client of a sensor: fast, slow or intermittent.
@Suite("Shipped policies beside other clients")
struct PolicyClientTests {
  /// A client of the accelerometer or of the receiver, beside the app that demands positions.
  enum Other: String, CaseIterable {
    case none, fast, halfMinute, tenMinutes, comingAndGoing

    /// The demands in the notation of scenario files.
    func demands(on device: String, minutes: Int) -> [String] {
      let accuracy = device == "location.gnss" ? "\"accuracy\": \"100 m\", " : ""
      func demand(_ rate: String, _ times: String = "") -> String {
        "{\"target\": \"\(device)\", \(times)\"with\": {\(accuracy)\"rate\": \"\(rate)\", \"background\": true}}"
      }
      return switch self {
      case .none: []
      case .fast: [demand("1 Hz")]
      case .halfMinute: [demand("1 per 30 s")]
      case .tenMinutes: [demand("1 per 10 min")]
      case .comingAndGoing:
        stride(from: 3, to: minutes - 6, by: 15).map { begin in
          demand("1 Hz", "\"from\": \"\(begin) min\", \"until\": \"\(begin + 5) min\", ")
        }
      }
    }
  }

  private static let minutes = 60
  private static let policies = [
    "camera-trap", "cold-chain", "collar", "courier", "drone-station", "ebike", "fleet", "hiking",
    "home-presence", "ladder", "mail", "motion-change", "motion-stream", "sync", "track-100", "track-50",
    "warehouse", "wearable",
  ]
  /// The permitted difference of a rule's time in force between two runs. The samples of two runs have
  /// different phases.
  private static let tolerance = TimeSpan.seconds(10)

  private let temporaryFiles = TemporaryFiles()

  private func run(_ policy: String, _ other: Other, on device: String) throws -> [RuleID: RuleActivity] {
    let demands = other.demands(on: device, minutes: Self.minutes).joined(separator: ", ")
    let client = demands.isEmpty ? "" : ", {\"name\": \"other\", \"demands\": [\(demands)]}"
    let scenario = try temporaryFiles.file(
      "\(policy)-\(other)-\(device).json",
      """
      {"stint_scenario": 1, "name": "clients", "start": "2026-05-18T09:00:00+02:00",
       "duration": "\(Self.minutes) min",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "walking", "for": "8 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "still", "for": "25 min", "sky": "open"},
         {"activity": "walking", "for": "8 min", "speed": "1.4 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "automotive", "for": "10 min", "speed": "14 m/s", "heading": "40 deg", "sky": "open"},
         {"activity": "still", "for": "9 min", "sky": "open"}]},
       "clients": [{"name": "app", "demands": [{"target": "location.gnss",
         "with": {"accuracy": "5 m", "rate": "1 per 10 s", "background": true}}]}\(client)],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    return try SimulationRun(
      SimulationRequest(policies: [Repository.path("policies/\(policy).stint")], scenario: scenario)
    ).run().report.rules
  }

  @Test(
    "each rule of a shipped policy is in force equally long without and with another client of a sensor",
    arguments: policies)
  func equal(policy: String) throws {
    let alone = try run(policy, .none, on: "")
    // The unit tier runs only the slowest client, because its rare samples could prevent a rule from coming
    // into force.
    let others = Tier.current == .unit ? [.tenMinutes] : Other.allCases.filter { $0 != .none }
    let devices = ["motion.accelerometer"] + (Tier.current == .unit ? [] : ["location.gnss"])
    for device in devices {
      for other in others {
        for (rule, activity) in try run(policy, other, on: device) {
          let before = try #require(alone[rule])
          let difference = abs((activity.inForce - before.inForce).nanoseconds)
          #expect(
            difference <= Self.tolerance.nanoseconds, "\(rule), \(other) on \(device): \(before), \(activity)"
          )
          #expect(
            (activity.activations == 0) == (before.activations == 0), "\(rule), \(other) on \(device)")
        }
      }
    }
  }
}
