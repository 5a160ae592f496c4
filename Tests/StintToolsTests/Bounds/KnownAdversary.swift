import StintModel
import StintUnits

/// A handwritten adversary for one device under one policy: a sequence of fact changes that repeats.
struct KnownAdversary: Sendable, CustomStringConvertible {
  let policy: String
  let device: DeviceID
  /// The sensors for which clients have demands during the whole hour.
  var demands: [DeviceID] = []
  var missing: [DeviceID] = []
  /// The period of small urgent transfers; nil without transfers.
  var traffic: TimeSpan?
  /// The steps: milliseconds since the previous step, and facts with values as policies write them.
  let round: [(Int64, [(String, String)])]

  var description: String { "\(policy), \(device)" }

  /// Returns the adversary, with its start on Monday at 10:00.
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

  /// Returns the facts of an accurate fix at rest. All facts are set at one instant.
  private static func fix(_ latitude: String, _ longitude: String) -> [(String, String)] {
    [
      ("location.gnss.accuracy", "5 m"), ("location.gnss.latitude", latitude),
      ("location.gnss.longitude", longitude), (activity, "still"),
    ]
  }

  /// The known adversaries, at most one for each policy.
  static let all = [
    // The device moves in each round, long enough to trigger the theft rule.
    KnownAdversary(
      policy: "camera-trap", device: "location.gnss",
      round: [(1000, [(activity, "automotive")]), (60_001, [(activity, "still")])]),
    // The device is at rest. Its position is in the plant until the receiver is off, then outside.
    KnownAdversary(
      policy: "cold-chain", device: "location.gnss", demands: ["location.gnss"],
      round: [(5001, fix("47.6 deg", "8.5555 deg")), (1000, fix("47.4582 deg", "8.5555 deg"))]),
    // The device moves for twenty seconds, then is at rest for one second.
    KnownAdversary(
      policy: "ebike", device: "location.gnss",
      round: [
        (1000, [("app.state", "background"), (activity, "cycling")]), (20_001, [(activity, "still")]),
      ]),
    // The phone is carried at walking pace until the receiver is off, then in a vehicle.
    KnownAdversary(
      policy: "fleet", device: "location.gnss", demands: ["location.gnss"],
      round: [(1000, [(activity, "walking")]), (70_002, [(activity, "automotive")])]),
    // In each round, the battery is low twice, and the phone is at rest once for over four minutes.
    KnownAdversary(
      policy: "hiking", device: "location.gnss", demands: ["location.gnss"],
      round: [
        (9000, [(activity, "walking")]), (1000, [(activity, "still")]), (10_000, [(battery, "10 %")]),
        (60_000, [(battery, "25 %"), (activity, "still")]),
        (60_000, [(battery, "10 %"), (activity, "still")]),
        (60_000, [(battery, "25 %"), (activity, "still")]), (51_000, [(activity, "still")]),
      ]),
    // A vehicle stays 350 m outside of the border, which it can reach within 30 s. The accuracy of a position
    // is published before the position. So the probe of Wi-Fi fails, and the receiver takes over.
    KnownAdversary(
      policy: "home-presence", device: "location.wifi",
      round: [
        (
          31_000,
          [
            ("location.wifi.accuracy", "20 m"), ("location.wifi.latitude", "47.3769 deg"),
            ("location.wifi.longitude", "8.54966 deg"), (activity, "automotive"),
          ]
        )
      ]),
    // The Wi-Fi radio is missing. A client sends a message as soon as the cellular radio is idle again.
    KnownAdversary(
      policy: "mail", device: "radio.cellular", missing: ["radio.wifi"], traffic: .milliseconds(12_010),
      round: [(60_000, [("screen.on", "true")])]),
    // The phone is on the charger until the `for` of the rule has passed.
    KnownAdversary(
      policy: "warehouse", device: "location.wifi", demands: ["location.gnss"],
      round: [(1000, [("power.source", "external")]), (60_001, [("power.source", "battery")])]),
    // The wearer runs until the receiver starts.
    KnownAdversary(
      policy: "wearable", device: "location.gnss",
      round: [(1000, [(activity, "running")]), (60_001, [(activity, "still")])]),
  ]
}
