import StintFormats
import StintModel

extension DevicePart {
  /// A satellite receiver. Off and standby draw nothing: no published figure splits them from the rest of the phone.
  static func receiver(
    search: JSONValue, track: JSONValue, hotFix: JSONValue, coldFix: JSONValue, memory: JSONValue,
    cyclingFrom: JSONValue, radius: JSONValue
  ) -> DevicePart {
    DevicePart(
      "location.gnss",
      [
        ("vendor", "published figures"),
        ("ladder", ["name": "location", "rank": 2, "serves": radius]),
        (
          "states",
          [
            .powerState("off", "0 W", on: false), .powerState("standby", "0 W", on: false),
            ["name": "search", "power": search, "on": true], ["name": "track", "power": track, "on": true],
          ]
        ),
      ],
      figures: [
        ("hot_fix", hotFix), ("cold_fix", coldFix), ("memory", memory), ("cycling_from", cyclingFrom),
        ("radius_open", radius), ("grid", "1 s"),
      ])
  }

  /// Positions from Wi-Fi networks.
  static func scanner(energy: JSONValue, radius: JSONValue) -> DevicePart {
    DevicePart(
      "location.wifi", [("vendor", "published figures"), ("events", [["name": "scan", "energy": energy]])],
      figures: [("radius_best", radius), ("radius_worst", radius)])
  }

  /// Positions from cells.
  static func cells(energy: JSONValue, radius: JSONValue) -> DevicePart {
    DevicePart(
      "location.cell",
      [("vendor", "published figures"), ("events", [["name": "lookup", "energy": energy]])],
      figures: [("radius_best", radius), ("radius_worst", radius)])
  }

  /// The host's processor.
  static func processor(suspended: JSONValue, awake: JSONValue, wake: JSONValue) -> DevicePart {
    DevicePart(
      "host.processor",
      [
        ("vendor", "published figures"),
        (
          "states",
          [
            ["name": "suspended", "power": suspended, "on": false],
            ["name": "awake", "power": awake, "on": true],
          ]
        ),
        ("events", [["name": "wake", "energy": wake]]),
      ])
  }
}
