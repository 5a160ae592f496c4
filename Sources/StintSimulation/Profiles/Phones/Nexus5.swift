import StintFormats
import StintModel

/// A phone of 2013. Currents come from `power_profile.xml` of its device tree (LineageOS, hammerhead), at 3.8 V.
enum Nexus5 {
  /// GNSS, whatever it does: gps.on, 76.23 mA (seen).
  static let search: JSONValue = "290 mW"
  static let track: JSONValue = search
  /// First fix of a receiver that knows its satellites (assumed; public figures go from 1 s to 8 s).
  static let hotFix: JSONValue = "3 s"
  /// First fix of one that does not (assumed; 8 s to 40 s).
  static let coldFix: JSONValue = "30 s"
  /// How long ephemerides hold (assumed).
  static let memory: JSONValue = "2 h"
  /// From here on a new search costs less than tracking on; both draw the same (derived).
  static let cyclingFrom: JSONValue = "3 s"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; seen).
  static let radius: JSONValue = "10 m"
  /// One Wi-Fi scan: 75.48 mA × 3.8 V × 0.0801 s × 24 channels (derived).
  static let scan: JSONValue = "550 mJ"
  /// 95 % radius of a position from Wi-Fi (EnLoc; memory).
  static let scanRadius: JSONValue = "40 m"
  /// A position from the cell the modem camps on: a moment of the processor (assumed).
  static let lookup: JSONValue = "20 mJ"
  /// 95 % radius of a position from cells (EnLoc; memory).
  static let lookupRadius: JSONValue = "400 m"
  /// Suspended: 3.2 mA (seen).
  static let suspended: JSONValue = "12.16 mW"
  /// Awake with one core at its lowest clock: 3.2 + 17.4 + 57.9 mA (seen, added up).
  static let awake: JSONValue = "298.3 mW"
  /// Resume, a short job, suspend again (derived; the default for a phone of these years).
  static let wake: JSONValue = "150 mJ"

  static let part = ProfilePart(
    name: "nexus5", title: "Nexus 5, with LTE and Wi-Fi of 2012 and a sensor hub",
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
