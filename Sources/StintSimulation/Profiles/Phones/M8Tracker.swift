import StintFormats
import StintModel

/// A tracker: a u-blox SAM-M8Q at 3 V, a microcontroller, a modem of the years of 3G, and no other way to know where
/// it is.
enum M8Tracker {
  /// Acquisition, GPS only: 25 mA (data sheet R04, table 8; seen).
  static let search: JSONValue = "75 mW"
  /// Tracking, GPS only: 23 mA (same table; seen).
  static let track: JSONValue = "69 mW"
  /// Hot start (data sheet, performance table; memory).
  static let hotFix: JSONValue = "1 s"
  /// Cold start (same table: 26 s to 29 s; memory).
  static let coldFix: JSONValue = "29 s"
  /// How long ephemerides hold (assumed).
  static let memory: JSONValue = "2 h"
  /// From here on a new search costs less than tracking on: 75 mW × 1 s / 69 mW (derived).
  static let cyclingFrom: JSONValue = "1087 ms"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; seen).
  static let radius: JSONValue = "10 m"
  /// A microcontroller asleep with its clock running: 2 µA at 3 V (assumed).
  static let suspended: JSONValue = "6 uW"
  /// The same at work: 10 mA (assumed).
  static let awake: JSONValue = "30 mW"
  /// One wake of it (assumed).
  static let wake: JSONValue = "2 mJ"

  static let part = ProfilePart(
    name: "m8tracker", title: "SAM-M8Q tracker with a microcontroller and 3G of 2009",
    devices: [
      "host.app", "host.processor", "location.gnss", "motion.accelerometer", "power.battery",
      "radio.cellular",
    ],
    parts: [
      .receiver(
        search: search, track: track, hotFix: hotFix, coldFix: coldFix, memory: memory,
        cyclingFrom: cyclingFrom, radius: radius),
      .processor(suspended: suspended, awake: awake, wake: wake),
      BareAccelerometer.part, UMTS2009.device,
    ])
}
