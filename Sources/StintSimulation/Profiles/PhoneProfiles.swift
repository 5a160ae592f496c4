import StintFormats
import StintModel

extension DevicePart {
  /// Returns the figures of a satellite receiver. Off and standby draw no power, because published figures do
  /// not separate these states from the rest of the phone.
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

  /// Returns the figures of positioning by Wi-Fi networks.
  static func scanner(energy: JSONValue, radius: JSONValue) -> DevicePart {
    DevicePart(
      "location.wifi", [("vendor", "published figures"), ("events", [["name": "scan", "energy": energy]])],
      figures: [("radius_best", radius), ("radius_worst", radius)])
  }

  /// Returns the figures of positioning by cells.
  static func cells(energy: JSONValue, radius: JSONValue) -> DevicePart {
    DevicePart(
      "location.cell",
      [("vendor", "published figures"), ("events", [["name": "lookup", "energy": energy]])],
      figures: [("radius_best", radius), ("radius_worst", radius)])
  }

  /// Returns the figures of the host's processor.
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

/// A tracker: a u-blox SAM-M8Q at 3 V, a microcontroller and a 3G modem, without Wi-Fi or cell positioning.
/// `ProfilePart` explains the sources in parentheses.
enum M8Tracker {
  /// Acquisition, GPS only: 25 mA (data sheet R04, table 8; read).
  static let search: JSONValue = "75 mW"
  /// Tracking, GPS only: 23 mA (same table; read).
  static let track: JSONValue = "69 mW"
  /// First fix of a hot start (data sheet, performance table; recalled).
  static let hotFix: JSONValue = "1 s"
  /// First fix of a cold start (same table: 26 s to 29 s; recalled).
  static let coldFix: JSONValue = "29 s"
  /// The time for which ephemerides remain valid (assumed).
  static let memory: JSONValue = "2 h"
  /// From this period on, a new search costs less than continuous tracking: 75 mW × 1 s / 69 mW (derived).
  static let cyclingFrom: JSONValue = "1087 ms"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; read).
  static let radius: JSONValue = "10 m"
  /// A microcontroller asleep with its clock running: 2 µA at 3 V (assumed).
  static let suspended: JSONValue = "6 uW"
  /// A microcontroller at work: 10 mA at 3 V (assumed).
  static let awake: JSONValue = "30 mW"
  /// The energy of one wake-up (assumed).
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

/// A phone of 2013. Currents come from `power_profile.xml` of its device tree (LineageOS, hammerhead), at 3.8
/// V. `ProfilePart` explains the sources in parentheses.
enum Nexus5 {
  /// GNSS in any active state: gps.on, 76.23 mA (read).
  static let search: JSONValue = "290 mW"
  static let track: JSONValue = search
  /// First fix of a receiver that has ephemerides (assumed; public figures range from 1 s to 8 s).
  static let hotFix: JSONValue = "3 s"
  /// First fix of a receiver without ephemerides (assumed; 8 s to 40 s).
  static let coldFix: JSONValue = "30 s"
  /// The time for which ephemerides remain valid (assumed).
  static let memory: JSONValue = "2 h"
  /// From this period on, a new search costs less than continuous tracking; both draw equal power (derived).
  static let cyclingFrom: JSONValue = "3 s"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; read).
  static let radius: JSONValue = "10 m"
  /// One Wi-Fi scan: 75.48 mA × 3.8 V × 0.0801 s × 24 channels (derived).
  static let scan: JSONValue = "550 mJ"
  /// 95 % radius of a position from Wi-Fi (EnLoc; recalled).
  static let scanRadius: JSONValue = "40 m"
  /// A position from the serving cell: a short activity of the processor (assumed).
  static let lookup: JSONValue = "20 mJ"
  /// 95 % radius of a position from cells (EnLoc; recalled).
  static let lookupRadius: JSONValue = "400 m"
  /// Suspended: 3.2 mA (read).
  static let suspended: JSONValue = "12.16 mW"
  /// Awake with one core at its lowest clock: 3.2 + 17.4 + 57.9 mA (read, added up).
  static let awake: JSONValue = "298.3 mW"
  /// Energy to resume, run a short job and suspend again (derived; typical of phones of these years).
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

/// A phone of 2020. The maker of the phone measured the additional current of each component for battery
/// accounting, at 3.7 V. `ProfilePart` explains the sources in parentheses.
enum Pixel5 {
  /// GNSS during a search: 28 mA, the figure for weak signals of the Pixel 5 power profile (read).
  static let search: JSONValue = "103.6 mW"
  /// GNSS during tracking: 5 mA, the figure for strong signals of that profile (read).
  static let track: JSONValue = "18.5 mW"
  /// First fix of a receiver that has ephemerides (assumed; public figures range from 1 s to 8 s).
  static let hotFix: JSONValue = "3 s"
  /// First fix of a receiver without ephemerides (assumed; 8 s to 40 s).
  static let coldFix: JSONValue = "30 s"
  /// The time for which ephemerides remain valid (assumed; 2 h to 4 h in common practice).
  static let memory: JSONValue = "2 h"
  /// From this period on, a new search costs less than continuous tracking: 103.6 mW × 3 s / 18.5 mW
  /// (derived).
  static let cyclingFrom: JSONValue = "16.8 s"
  /// 95 % radius of a satellite fix (EnLoc, INFOCOM 2009; read).
  static let radius: JSONValue = "10 m"
  /// One Wi-Fi scan: the channel time of the Nexus 5 at this phone's receive current (derived).
  static let scan: JSONValue = "700 mJ"
  /// 95 % radius of a position from Wi-Fi (EnLoc; recalled).
  static let scanRadius: JSONValue = "40 m"
  /// A position from the serving cell: a short activity of the processor (assumed).
  static let lookup: JSONValue = "20 mJ"
  /// 95 % radius of a position from cells (EnLoc; recalled).
  static let lookupRadius: JSONValue = "400 m"
  /// Suspended: 5.6 mA (read).
  static let suspended: JSONValue = "20.72 mW"
  /// Awake with one core of the middle cluster at its lowest clock: 5.6 + 5.4 + 32 mA (read, added up).
  static let awake: JSONValue = "159.1 mW"
  /// Energy to resume, run a short job and suspend again: 0.2 s to 0.5 s awake (derived; typical of phones of
  /// these years).
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
