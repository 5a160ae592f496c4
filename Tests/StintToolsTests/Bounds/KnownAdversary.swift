import StintModel
import StintUnits

/// The adversary that somebody thought of for a device of a policy: a round of facts, again and again.
struct KnownAdversary: Sendable, CustomStringConvertible {
  let policy: String
  let device: DeviceID
  /// The sensors that clients want throughout.
  var demands: [DeviceID] = []
  /// Devices that are not there.
  var missing: [DeviceID] = []
  /// How often something small and urgent is to be sent.
  var traffic: TimeSpan?
  /// Milliseconds since the step before, and facts with their values as people write them.
  let round: [(Int64, [(String, String)])]

  var description: String { "\(policy), \(device)" }

  /// Begins on Monday at ten.
  func adversary(_ vocabulary: Vocabulary) -> Adversary? {
    var changes: [Adversary.Change] = []
    for (gap, facts) in round {
      for (number, entry) in facts.enumerated() {
        guard let fact = vocabulary.fact(entry.0), let value = vocabulary.facts[fact].value(from: entry.1)
        else { return nil }
        changes.append(
          Adversary.Change(gap: number == 0 ? .milliseconds(gap) : .zero, fact: fact, value: value))
      }
    }
    return Adversary(
      start: .hours(10), changes: changes,
      demands: demands.compactMap { vocabulary.device($0) }.map {
        Adversary.Demanded(device: $0, accuracy: nil)
      },
      missing: missing.compactMap { vocabulary.device($0) }, traffic: traffic)
  }

  private static let activity = "motion.activity"
  private static let battery = "battery.level"

  /// A fix as good as they come, in steps of one instant.
  private static func fix(_ latitude: String, _ longitude: String) -> [(String, String)] {
    [
      ("location.gnss.accuracy", "5 m"), ("location.gnss.latitude", latitude),
      ("location.gnss.longitude", longitude), (activity, "still"),
    ]
  }

  /// One for each policy in which one is known.
  static let all = [
    // Just long enough to be taken for a theft, again and again.
    KnownAdversary(
      policy: "camera-trap", device: "location.gnss",
      round: [(1000, [(activity, "automotive")]), (60_001, [(activity, "still")])]),
    // Still, at the rim of the plant: in until the receiver is off, and out.
    KnownAdversary(
      policy: "cold-chain", device: "location.gnss", demands: ["location.gnss"],
      round: [(5001, fix("47.6 deg", "8.5555 deg")), (1000, fix("47.4582 deg", "8.5555 deg"))]),
    // Moved for twenty seconds, still for one.
    KnownAdversary(
      policy: "ebike", device: "location.gnss",
      round: [
        (1000, [("app.state", "background"), (activity, "cycling")]), (20_001, [(activity, "still")]),
      ]),
    // Walks until the receiver is off, and drives.
    KnownAdversary(
      policy: "fleet", device: "location.gnss", demands: ["location.gnss"],
      round: [(1000, [(activity, "walking")]), (70_002, [(activity, "automotive")])]),
    // Two times low, once still for four minutes.
    KnownAdversary(
      policy: "hiking", device: "location.gnss", demands: ["location.gnss"],
      round: [
        (9000, [(activity, "walking")]), (1000, [(activity, "still")]), (10_000, [(battery, "10 %")]),
        (60_000, [(battery, "25 %"), (activity, "still")]),
        (60_000, [(battery, "10 %"), (activity, "still")]),
        (60_000, [(battery, "25 %"), (activity, "still")]), (51_000, [(activity, "still")]),
      ]),
    // Walks, and nobody knows.
    KnownAdversary(
      policy: "home-presence", device: "location.wifi",
      round: [(1000, [(activity, "walking")]), (1000, [(activity, "unknown")])]),
    // No other radio, and one message as soon as this one is idle again.
    KnownAdversary(
      policy: "mail", device: "radio.cellular", missing: ["radio.wifi"], traffic: .milliseconds(12_010),
      round: [(60_000, [("screen.on", "true")])]),
    // In the charger until it counts.
    KnownAdversary(
      policy: "warehouse", device: "location.wifi", demands: ["location.gnss"],
      round: [(1000, [("power.source", "external")]), (60_001, [("power.source", "battery")])]),
    // Runs until the receiver starts.
    KnownAdversary(
      policy: "wearable", device: "location.gnss",
      round: [(1000, [(activity, "running")]), (60_001, [(activity, "still")])]),
  ]
}
