import StintFormats
import StintModel

/// A phone of 2020. Currents are the increments that its maker measured for its own battery accounting, at 3.7 V.
enum Pixel5 {
  /// GNSS while it searches: 28 mA, the figure for weak signals of the Pixel 5 power profile (seen).
  static let search: JSONValue = "103.6 mW"
  /// GNSS while it tracks: 5 mA, the figure for strong signals of the same profile (seen).
  static let track: JSONValue = "18.5 mW"
  /// First fix of a receiver that knows its satellites (assumed; public figures go from 1 s to 8 s).
  static let hotFix: JSONValue = "3 s"
  /// First fix of one that does not (assumed; 8 s to 40 s).
  static let coldFix: JSONValue = "30 s"
  /// How long ephemerides hold (assumed; 2 h to 4 h in common practice).
  static let memory: JSONValue = "2 h"
  /// From here on a new search costs less than tracking on: 103.6 mW × 3 s / 18.5 mW (derived).
  static let cyclingFrom: JSONValue = "16.8 s"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; seen).
  static let radius: JSONValue = "10 m"
  /// One Wi-Fi scan: channel time of the Nexus 5 at this phone's receiving current (derived).
  static let scan: JSONValue = "700 mJ"
  /// 95 % radius of a position from Wi-Fi (EnLoc; memory).
  static let scanRadius: JSONValue = "40 m"
  /// A position from the cell the modem camps on: a moment of the processor (assumed).
  static let lookup: JSONValue = "20 mJ"
  /// 95 % radius of a position from cells (EnLoc; memory).
  static let lookupRadius: JSONValue = "400 m"
  /// Suspended: 5.6 mA (seen).
  static let suspended: JSONValue = "20.72 mW"
  /// Awake with one core of the middle cluster at its lowest clock: 5.6 + 5.4 + 32 mA (seen, added up).
  static let awake: JSONValue = "159.1 mW"
  /// Resume, a short job, suspend again: 0.2 s to 0.5 s awake (derived; the default for a phone of these years).
  static let wake: JSONValue = "50 mJ"

  static let part = ProfilePart(
    name: "pixel5", title: "Pixel 5, with LTE and Wi-Fi of 2012 and a sensor hub",
    devices: ReferencePhone.deviceNames,
    parts: [
      .receiver(
        search: search, track: track, hotFix: hotFix, coldFix: coldFix, memory: memory,
        cyclingFrom: cyclingFrom, radius: radius),
      .scanner(energy: scan, radius: scanRadius),
      .cells(energy: lookup, radius: lookupRadius),
      .processor(suspended: suspended, awake: awake, wake: wake),
      PhoneHub.part, LTE2012.device, WiFi2012.device,
    ])
}
