public import StintUnits

/// What a device is, what it can do, what it costs and what it knows: data only, read before any code of it
/// runs.
///
/// The JSON form, each quantity a string with its unit:
/// ```json
/// {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "GNSS receiver", "vendor":
/// "sim",
///  "ladder": {"name": "location", "rank": 2, "serves": "5 m"},
///  "states": [{"name": "off", "power": "0 W", "on": false},
///             {"name": "search", "power": "75 mW", "on": true}],
///  "transitions": [["off", "search"], ["search", "off"]],
///  "initial": "off", "safe": "off",
///  "events": [{"name": "scan", "energy": "600 mJ"}],
///  "verbs": ["start", "stop", "pause", "downgrade", "batch", "flush", "fix"],
///  "attributes": [{"name": "accuracy", "unit": "m", "range": ["5 m", "3 km"]},
///                 {"name": "activity", "options": ["other", "fitness"], "default": "other"}],
///  "fifo": 600, "inputs": ["motion.gyro"],
///  "channels": [{"name": "latitude", "unit": "deg"}],
///  "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s",
///             "fastest": "1 s", "noisy": true, "meaning": "95 % radius of the last fix"}],
///  "figures": {"cold_fix": "47 s"}}
/// ```
/// A fact with `"always": true` is said also while the sensor is off; a rule that reads any other has the sensor work.
/// A state may add `"per_hertz": "9 uW"`: power that grows with the rate. A fact has `"unit"`, `"options"` or
/// `"boolean": true`; a name with a dot is the whole path of the fact, any other is put behind the device's. A source
/// that says a fact only when it is read adds `"read": {"every": "60 s", "per_second": "0.02 %"}`: how often it is read
/// at most, and how far the value moves in a second at most, where that is known.
public struct Manifest: Hashable, Sendable {
  public var device: DeviceID
  public var kind: DeviceKind
  public var title: String
  public var vendor: String
  /// Which family of interchangeable devices this one belongs to, if any.
  public var ladder: Ladder?
  /// Power states; none for a `source`.
  public var states: [PowerState]
  /// Indexes into `states`.
  public var transitions: [Transition]
  /// The state at start; an index into `states`.
  public var initial: Int
  /// The state to fall to when the plugin is lost; an index into `states`.
  public var safe: Int
  public var events: [PricedEvent]
  public var verbs: [Verb]
  public var attributes: [AttributeSchema]
  /// How many samples the device can hold by itself; 0 when it can hold none.
  public var fifo: Int
  /// Devices that this one makes its samples from, all that it needs: a policy that starts it starts them.
  public var inputs: [DeviceID]
  public var channels: [Channel]
  public var facts: [FactSchema]
  /// Further figures of the device, by name: first-fix times, link rates.
  public var figures: [String: Quantity]

  /// Makes a manifest; call `faults()` before trusting it.
  public init(
    device: DeviceID, kind: DeviceKind, title: String, vendor: String = "", ladder: Ladder? = nil,
    states: [PowerState] = [], transitions: [Transition] = [], initial: Int = 0, safe: Int = 0,
    events: [PricedEvent] = [], verbs: [Verb] = [], attributes: [AttributeSchema] = [], fifo: Int = 0,
    inputs: [DeviceID] = [], channels: [Channel] = [], facts: [FactSchema] = [],
    figures: [String: Quantity] = [:]
  ) {
    self.device = device
    self.kind = kind
    self.title = title
    self.vendor = vendor
    self.ladder = ladder
    self.states = states
    self.transitions = transitions
    self.initial = initial
    self.safe = safe
    self.events = events
    self.verbs = verbs
    self.attributes = attributes
    self.fifo = fifo
    self.inputs = inputs
    self.channels = channels
    self.facts = facts
    self.figures = figures
  }

  /// The index of the state with this name.
  public func state(named name: String) -> Int? { states.firstIndex { $0.name == name } }

  /// The index of the event with this name.
  public func event(named name: String) -> Int? { events.firstIndex { $0.name == name } }

  /// The schema of the attribute with this name.
  public func attribute(named name: String) -> AttributeSchema? { attributes.first { $0.name == name } }

  /// Whether the device moves between two states without passing a third.
  public func permits(from: Int, to: Int) -> Bool {
    from == to || transitions.contains(Transition(from: from, to: to))
  }
}
