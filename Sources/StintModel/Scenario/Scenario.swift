public import StintUnits

/// A simulated stretch of life: a world, the clients in it, the facts that change, the faults that strike.
///
/// The JSON form, times counted from the start unless said otherwise:
/// ```json
/// {"stint_scenario": 1, "name": "day-hike", "title": "A day in the hills", "start":
/// "2026-05-16T08:00:00+02:00",
///  "duration": "10 h", "profile": "pixel5", "devices": ["location.gnss", "motion.accelerometer"],
///  "world": {"origin": [47.05, 8.31],
///            "legs": [{"activity": "walking", "for": "50 min", "speed": "1.4 m/s", "heading": "40 deg",
///                      "sky": "open", "wifi": false}]},
///  "clients": [{"name": "trail-app",
///               "demands": [{"target": "location.gnss", "from": "0 s", "until": "9 h",
///                            "with": {"accuracy": "10 m", "rate": "1 Hz", "activity": "fitness",
///                                     "background": true, "pause": true, "latency": "0 s"}}],
///               "transfers": [{"target": "radio.cellular", "first": "5 min", "every": "10 min", "count": 60,
///                              "up": "20 kB", "down": "0 B", "deadline": "30 min"}]}],
///  "declares": [{"name": "hike.remaining", "unit": "m"}],
///  "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false}}],
///  "faults": [{"device": "location.gnss", "at": "1 h", "for": "5 min", "kind": "late", "by": "30 s"}]}
/// ```
/// `"beacons": [{"identity": "f7826da6", "major": 10, "minor": 1, "at": [47.05, 8.31], "range": "30 m"}]`
/// puts Bluetooth advertisers into the world; with one, the phone has the scanner `radio.ble` unless
/// `devices` says otherwise. A client may ask for services too, and gets their notices: `"services":
/// [{"name": "way", "kind": "updates", "from": "10 min", "until": "2 h", "with": {"accuracy": "10 m"}}]`. The
/// kinds, with what may stand under `with`: `fix` (`accuracy`, `timeout`, `background`), `updates`
/// (`accuracy`, `rate`, `filter`, `activity`, `background`, `pause`), `regions` (`"regions": [{"name":
/// "home", "at": [47.05, 8.31], "radius": "100 m"}]`), `beacons` (`"beacons": [{"name": "gate", "identity":
/// "f7826da6", "major": 10, "minor": 1}]`, the numbers where they matter), `visits`, and `moves`
/// (`heartbeat`), the significant change. Its user allows it everything. A fault is one of `dropout`,
/// `stuck`, `noisy`, `late`, `duplicated`, `clock`, `loss` and `crash`, or, without a `device`, one of the
/// phone's own: `{"at": "2 h", "for": "10 min", "kind": "disk"}` leaves no room on the disk, and `memory`
/// makes memory short. Then what is held for clients is handed over early, and of what waits for clients that
/// are away only the newest stays; a fact `memory.low`, where `declares` has it, says so to policies.
/// `"time_zone": "CET-1CEST,M3.5.0,M10.5.0/3"` beside the start puts clocks forward and back; left out, local
/// time stays as far ahead as the start says. Left out as well: `devices` means all of the reference phone,
/// `legs` an endless rest, `count` as often as fits.
public struct Scenario: Hashable, Sendable {
  public var name: String
  public var title: String
  public var start: Instant
  /// How far local time is ahead of UTC.
  public var timeZone: TimeZoneRules
  public var duration: TimeSpan
  /// Whose power figures the devices have; nil for the reference phone's.
  public var profile: String?
  /// Nil for all that the profile has.
  public var devices: [DeviceID]?
  public var origin: Coordinate
  public var legs: [Leg]
  public var clients: [ScenarioClient]
  /// Facts that clients publish here, beyond those of manifests.
  public var declares: [FactSchema]
  public var changes: [FactChange]
  public var faults: [InjectedFault]
  public var beacons: [PlacedBeacon]

  /// Makes a scenario.
  public init(
    name: String, title: String = "", start: Instant, timeZone: TimeZoneRules = .utc, duration: TimeSpan,
    profile: String? = nil, devices: [DeviceID]? = nil, origin: Coordinate, legs: [Leg] = [],
    clients: [ScenarioClient] = [], declares: [FactSchema] = [], changes: [FactChange] = [],
    faults: [InjectedFault] = [], beacons: [PlacedBeacon] = []
  ) {
    self.name = name
    self.title = title
    self.start = start
    self.timeZone = timeZone
    self.duration = duration
    self.profile = profile
    self.devices = devices
    self.origin = origin
    self.legs = legs
    self.clients = clients
    self.declares = declares
    self.changes = changes
    self.faults = faults
    self.beacons = beacons
  }
}

/// A stretch of the world: how the phone moves, and what the sky above it lets through.
public struct Leg: Hashable, Sendable {
  /// What satellites see of the phone.
  public enum Sky: String, Hashable, Sendable, CaseIterable {
    case open, street, indoors
  }

  public var activity: Activity
  public var duration: TimeSpan
  /// Metres a second; 0 when still.
  public var speed: Double
  /// Degrees, clockwise from north.
  public var heading: Double
  public var sky: Sky
  /// Whether a known Wi-Fi network can be joined.
  public var hasWiFi: Bool

  /// Makes a leg.
  public init(
    activity: Activity, duration: TimeSpan, speed: Double, heading: Double, sky: Sky = .open,
    hasWiFi: Bool = false
  ) {
    self.activity = activity
    self.duration = duration
    self.speed = speed
    self.heading = heading
    self.sky = sky
    self.hasWiFi = hasWiFi
  }
}

/// How the carrier of the phone moves; the words of the fact `motion.activity`, in this order.
public enum Activity: String, Hashable, Sendable, CaseIterable {
  case still, walking, running, cycling, automotive
}
