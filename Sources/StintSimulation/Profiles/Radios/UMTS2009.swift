import StintFormats
import StintModel

/// 3G as TailEnder models it ("Energy Consumption in Mobile Phones", Balasubramanian et al., IMC 2009).
enum UMTS2009 {
  /// Raising the radio costs this at once (memory).
  static let ramp = "3.5 J"
  /// Tail (memory).
  static let tail = (time: "12.5 s", power: "620 mW")
  /// Sending at 0.5 Mbit/s (assumed) so that a kilobyte costs 0.025 J (memory).
  static let sending = (rate: "0.5 Mbit/s", power: "1.5625 W")
  /// Receiving at 1 Mbit/s (assumed) so that a kilobyte costs 0.025 J (memory).
  static let receiving = (rate: "1 Mbit/s", power: "3.125 W")
  /// Keeping the link up (memory).
  static let idle = "20 mW"

  static let device = DevicePart.radio(
    "radio.cellular", idle: idle, ramp: ramp, sending: sending, receiving: receiving, tails: [tail])
  static let part = ProfilePart(name: "umts2009", title: "3G of 2009 as the cellular radio", parts: [device])
}
