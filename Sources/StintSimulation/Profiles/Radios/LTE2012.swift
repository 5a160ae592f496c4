import StintFormats
import StintModel

/// LTE as measured in "A Close Examination of Performance and Power Characteristics of 4G LTE Networks" (Huang et al.,
/// MobiSys 2012).
enum LTE2012 {
  /// Promotion (memory; agrees with the quoted price of a lone packet).
  static let promotion = (time: "260.1 ms", power: "1.2107 W")
  /// Tail: 11.576 s at 1060 mW (second-hand).
  static let tail = (time: "11.576 s", power: "1.06 W")
  /// Sending at the median rate: 1288.04 mW + 438.39 mW a Mbit/s × 5.64 Mbit/s (second-hand, multiplied out).
  static let sending = (rate: "5.64 Mbit/s", power: "3.7605596 W")
  /// Receiving at the median rate: 1288.04 mW + 51.97 mW a Mbit/s × 12.74 Mbit/s (second-hand, multiplied out).
  static let receiving = (rate: "12.74 Mbit/s", power: "1.9501378 W")
  /// Paging: 594.3 mW for 43 ms every 1.28 s (memory, multiplied out).
  static let idle = "19.965 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, promotion: promotion, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "lte2012", title: "LTE of 2012 as the cellular radio", parts: [device])
}
