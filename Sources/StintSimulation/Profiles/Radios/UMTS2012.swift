import StintFormats
import StintModel

/// 3G as measured in 2012 (Huang et al., MobiSys 2012, the column of 3G).
enum UMTS2012 {
  /// Promotion (memory; agrees with the quoted price of a lone packet, 7.38 J).
  static let promotion = (time: "582.1 ms", power: "659.4 mW")
  /// The dedicated channel first, then the shared one (memory, checked likewise).
  static let tails = [(time: "8.0882 s", power: "803.9 mW"), (time: "824.2 ms", power: "601.3 mW")]
  /// Sending at the median rate: 817.88 mW + 868.98 mW a Mbit/s × 0.72 Mbit/s (second-hand, multiplied out).
  static let sending = (rate: "0.72 Mbit/s", power: "1.4435456 W")
  /// Receiving at the median rate: 817.88 mW + 122.12 mW a Mbit/s × 2.03 Mbit/s (memory, multiplied out).
  static let receiving = (rate: "2.03 Mbit/s", power: "1.0657836 W")
  /// Paging: 374.2 mW for 55 ms every 5.11 s (memory, multiplied out).
  static let idle = "4.0276 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: tails)
  static let part = ProfilePart(name: "umts2012", title: "3G of 2012 as the cellular radio", parts: [device])
}
