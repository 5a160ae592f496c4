import StintFormats
import StintModel

extension DevicePart {
  /// Returns the figures of a radio with one power for sending and another for receiving.
  ///
  /// - Parameters:
  ///   - promotion: the time and power that the radio needs to go from idle to connected; nil for a radio
  ///     that needs no promotion.
  ///   - ramp: the one-time energy of promotion, in addition to its power; nil without such energy.
  ///   - tails: the stages after the last byte, at most two.
  static func radio(
    _ device: DeviceID, idle: String, promotion: (time: String, power: String)? = nil, ramp: String? = nil,
    sending: (rate: String, power: String), receiving: (rate: String, power: String),
    tails: [(time: String, power: String)]
  ) -> DevicePart {
    let tailNames = ["tail", "tail_low"].prefix(tails.count)
    var states: [JSONValue] = [.powerState("idle", idle, on: false)]
    if let promotion { states.append(.powerState("promotion", promotion.power, on: true)) }
    states.append(.powerState("sending", sending.power, on: true))
    states.append(.powerState("receiving", receiving.power, on: true))
    for (name, tail) in zip(tailNames, tails) { states.append(.powerState(name, tail.power, on: true)) }
    var figures: [(String, JSONValue)] = [
      ("up_rate", JSONValue(sending.rate)), ("down_rate", JSONValue(receiving.rate)),
      ("promotion", JSONValue(promotion?.time ?? "0 s")),
    ]
    for (name, tail) in zip(tailNames, tails) { figures.append((name, JSONValue(tail.time))) }
    // All transitions are allowed, because the traffic determines them.
    let names = states.compactMap { $0["name"]?.string }
    let moves = names.flatMap { from in names.filter { $0 != from }.map { JSONValue.move(from, $0) } }
    return DevicePart(
      device,
      [
        ("vendor", "published figures"), ("states", JSONValue(states)), ("transitions", JSONValue(moves)),
        ("events", JSONValue(ramp.map { [.event("promotion", $0)] } ?? [])),
      ],
      figures: figures)
  }
}

/// LTE as measured in "A Close Examination of Performance and Power Characteristics of 4G LTE Networks"
/// (Huang et al., MobiSys 2012). `ProfilePart` explains the sources in parentheses.
enum LTE2012 {
  /// Promotion (recalled; agrees with the quoted energy of a single packet).
  static let promotion = (time: "260.1 ms", power: "1.2107 W")
  /// Tail: 11.576 s at 1060 mW (second-hand).
  static let tail = (time: "11.576 s", power: "1.06 W")
  /// Sending at the median rate: 1288.04 mW + 438.39 mW per Mbit/s × 5.64 Mbit/s (second-hand, derived).
  static let sending = (rate: "5.64 Mbit/s", power: "3.7605596 W")
  /// Receiving at the median rate: 1288.04 mW + 51.97 mW per Mbit/s × 12.74 Mbit/s (second-hand, derived).
  static let receiving = (rate: "12.74 Mbit/s", power: "1.9501378 W")
  /// Paging: 594.3 mW for 43 ms every 1.28 s (recalled, derived).
  static let idle = "19.965 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "lte2012", title: "LTE of 2012 as the cellular radio", parts: [device])
}

/// 3G as TailEnder models it ("Energy Consumption in Mobile Phones", Balasubramanian et al., IMC 2009).
/// `ProfilePart` explains the sources in parentheses.
enum UMTS2009 {
  /// The one-time energy of promotion (recalled).
  static let ramp = "3.5 J"
  /// Tail (recalled).
  static let tail = (time: "12.5 s", power: "620 mW")
  /// Sending at 0.5 Mbit/s (assumed) with 0.025 J per kilobyte (recalled).
  static let sending = (rate: "0.5 Mbit/s", power: "1.5625 W")
  /// Receiving at 1 Mbit/s (assumed) with 0.025 J per kilobyte (recalled).
  static let receiving = (rate: "1 Mbit/s", power: "3.125 W")
  /// Idle with a registered link (recalled).
  static let idle = "20 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, ramp: ramp, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "umts2009", title: "3G of 2009 as the cellular radio", parts: [device])
}

/// 3G as measured in 2012 (Huang et al., MobiSys 2012, the 3G column). `ProfilePart` explains the sources in
/// parentheses.
enum UMTS2012 {
  /// Promotion (recalled; agrees with the quoted energy of a single packet, 7.38 J).
  static let promotion = (time: "582.1 ms", power: "659.4 mW")
  /// The tail on the dedicated channel, then on the shared channel (recalled; agrees with the quoted energy
  /// of a single packet).
  static let tails = [(time: "8.0882 s", power: "803.9 mW"), (time: "824.2 ms", power: "601.3 mW")]
  /// Sending at the median rate: 817.88 mW + 868.98 mW per Mbit/s × 0.72 Mbit/s (second-hand, derived).
  static let sending = (rate: "0.72 Mbit/s", power: "1.4435456 W")
  /// Receiving at the median rate: 817.88 mW + 122.12 mW per Mbit/s × 2.03 Mbit/s (recalled, derived).
  static let receiving = (rate: "2.03 Mbit/s", power: "1.0657836 W")
  /// Paging: 374.2 mW for 55 ms every 5.11 s (recalled, derived).
  static let idle = "4.0276 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: tails)
  static let part = ProfilePart(name: "umts2012", title: "3G of 2012 as the cellular radio", parts: [device])
}

/// Wi-Fi as measured in 2012 (Huang et al., MobiSys 2012, the Wi-Fi column). `ProfilePart` explains the
/// sources in parentheses.
enum WiFi2012 {
  /// Promotion (recalled; agrees with the quoted energy of a single packet, 0.04 J).
  static let promotion = (time: "79.1 ms", power: "124.4 mW")
  /// Tail (recalled; agrees with the quoted energy of a single packet).
  static let tail = (time: "238.1 ms", power: "119.3 mW")
  /// Sending: 132.86 mW + 283.17 mW per Mbit/s × 3 Mbit/s (second-hand, derived; rate recalled).
  static let sending = (rate: "3 Mbit/s", power: "982.37 mW")
  /// Receiving: 132.86 mW + 137.01 mW per Mbit/s × 7 Mbit/s (recalled, derived).
  static let receiving = (rate: "7 Mbit/s", power: "1.09193 W")
  /// Listening for beacons: 77.2 mW for 7.6 ms every 0.308 s (recalled, derived).
  static let idle = "1.9049 mW"

  static let device = DevicePart.radio(
    "radio.wifi", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "wifi2012", title: "Wi-Fi of 2012 as the Wi-Fi radio", parts: [device])
}
