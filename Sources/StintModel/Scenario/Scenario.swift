public import StintUnits

/// A simulated period of use: a world, the clients in it, changes of facts and injected faults.
///
/// The JSON form, with times counted from the start unless noted otherwise:
/// ```json
/// {"stint_scenario": 1, "name": "day-hike", "title": "A day in the hills",
///  "start": "2026-05-16T08:00:00+02:00",
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
/// adds Bluetooth beacons to the world. With beacons, the phone also has the scanner `radio.ble`, unless
/// `devices` lists the devices explicitly.
///
/// A client may also request services, and then receives their notices: `"services": [{"name": "way", "kind":
/// "updates", "from": "10 min", "until": "2 h", "with": {"accuracy": "10 m"}}]`. `"permission"` of a client
/// is the user's decision about the location (`denied`, `undecided`, `when_in_use`, `always`; by default
/// `always`), or an object as in `SiteApp`. With `"background": false`, the client is not served in the
/// background. A refused request appears in the report. The kinds, with the entries of `with`:
///
/// - `fix`: `accuracy`, `timeout`, `background`
/// - `updates`: `accuracy`, `rate`, `filter`, `activity`, `background`, `pause`
/// - `regions`: `"regions": [{"name": "home", "at": [47.05, 8.31], "radius": "100 m"}]`
/// - `beacons`: `"beacons": [{"name": "gate", "identity": "f7826da6", "major": 10, "minor": 1}]`; major and
///   minor are optional
/// - `visits`: no entries
/// - `moves`, the significant location changes: `heartbeat`, `max_age`, `pausing`
/// - `ranging`: `name`, `identity`, `major`, `minor`
/// - `motion`: `of`, `rate`, `latency`, `background`
/// - `orientation`: `rate`
/// - `permission`, which asks the user: `capability`, `purpose`
/// - `samples`: `device`, `accuracy`, `rate`, `latency`, `activity`, `background`, `pause`, `attributes`
/// - `transfers`, a session: `discretionary`, `cellular`, `outlives_client`, `window`, `window_end`,
///   `retries`, `slow_link`, `large_task`, `settling`
///
/// A device fault is one of `dropout`, `stuck`, `noisy`, `late`, `duplicated`, `clock`, `loss` and `crash`. A
/// fault without a `device` affects the phone: in `{"at": "2 h", "for": "10 min", "kind": "disk"}` the disk
/// is full, and with `memory` the memory is low. While memory is low, held samples are delivered early. When
/// memory becomes low, older notices for a client that is not attached are dropped. The newest 16 stay, and
/// also all notices that require later work, such as a notice about a fetched file. The fact `memory.low`,
/// when `declares` contains it, publishes this state to policies.
///
/// `"values": [{"of": "ambient.temperature.temperature", "constant": "20 C"}]` determines what simulated
/// sensors and sources measure; see `ScriptedValue`. Such a device is simulated from its manifest alone.
///
/// Without `devices`, the phone has all devices of its profile. Without `legs`, it never moves. Without
/// `count`, there are as many transfers as the duration allows. Without `time_zone`, local time always
/// has the offset that `start` contains. `"time_zone": "CET-1CEST,M3.5.0,M10.5.0/3"` beside `start` adds
/// clock changes; `"UTC+2"` is a fixed offset, positive to the east as in sites.
public struct Scenario: Equatable, Sendable {
  /// The name of the scenario on the command line.
  public var name: String
  /// The title of the scenario for display.
  public var title: String
  /// The instant at which the scenario starts.
  public var start: Instant
  /// The rules for the offset of local time from UTC.
  public var timeZone: TimeZoneRules
  /// The length of the scenario.
  public var duration: TimeSpan
  /// The profile with the power figures of the devices; nil for the reference phone.
  public var profile: String?
  /// The devices of the phone; nil for all devices of the profile.
  public var devices: [DeviceID]?
  /// The position at the start.
  public var origin: Coordinate
  /// The movements of the phone, in order.
  public var legs: [Leg]
  /// The apps on the phone.
  public var clients: [ScenarioClient]
  /// The facts that clients publish in this scenario, in addition to the facts of manifests.
  public var declares: [FactSchema]
  /// The changes of facts during the scenario.
  public var changes: [FactChange]
  /// The injected faults.
  public var faults: [InjectedFault]
  /// The Bluetooth beacons in the world.
  public var beacons: [PlacedBeacon]
  /// The values that simulated devices measure.
  public var values: [ScriptedValue]

  /// Makes a scenario.
  public init(
    name: String, title: String = "", start: Instant, timeZone: TimeZoneRules = .utc, duration: TimeSpan,
    profile: String? = nil, devices: [DeviceID]? = nil, origin: Coordinate, legs: [Leg] = [],
    clients: [ScenarioClient] = [], declares: [FactSchema] = [], changes: [FactChange] = [],
    faults: [InjectedFault] = [], beacons: [PlacedBeacon] = [],
    values: [ScriptedValue] = []
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
    self.values = values
  }
}

/// A part of the simulated world: how the phone moves and how well satellites are received.
public struct Leg: Hashable, Sendable {
  /// The reception of satellites.
  public enum Sky: String, Hashable, Sendable, CaseIterable {
    case open, street, indoors
  }

  /// How the phone moves.
  public var activity: Activity
  /// The length of this part.
  public var duration: TimeSpan
  /// The speed in metres per second; 0 at rest.
  public var speed: Double
  /// The heading in degrees, clockwise from north.
  public var heading: Double
  /// The reception of satellites.
  public var sky: Sky
  /// Whether a known Wi-Fi network is in range.
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

/// The kind of movement of the phone. The raw values are the words of the fact `motion.activity`, in
/// this order.
public enum Activity: String, Hashable, Sendable, CaseIterable {
  case still, walking, running, cycling, automotive
}
