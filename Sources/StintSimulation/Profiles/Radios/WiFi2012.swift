import StintFormats
import StintModel

/// Wi-Fi as measured in 2012 (Huang et al., MobiSys 2012, the column of Wi-Fi).
enum WiFi2012 {
  /// Promotion (memory; agrees with the quoted price of a lone packet, 0.04 J).
  static let promotion = (time: "79.1 ms", power: "124.4 mW")
  /// Tail (memory, checked likewise).
  static let tail = (time: "238.1 ms", power: "119.3 mW")
  /// Sending: 132.86 mW + 283.17 mW a Mbit/s × 3 Mbit/s (second-hand, multiplied out; rate from memory).
  static let sending = (rate: "3 Mbit/s", power: "982.37 mW")
  /// Receiving: 132.86 mW + 137.01 mW a Mbit/s × 7 Mbit/s (memory, multiplied out).
  static let receiving = (rate: "7 Mbit/s", power: "1.09193 W")
  /// Listening for beacons: 77.2 mW for 7.6 ms every 0.308 s (memory, multiplied out).
  static let idle = "1.9049 mW"

  static let device = DevicePart.radio(
    "radio.wifi", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "wifi2012", title: "Wi-Fi of 2012 as the Wi-Fi radio", parts: [device])
}
