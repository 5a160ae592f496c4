public import StintUnits

/// The description of a device: its capabilities, its energy costs and its facts. A manifest is data, and is
/// read before any code of the device runs.
///
/// The JSON form writes each quantity as a string with its unit:
/// ```json
/// {"stint_manifest": 1, "device": "location.gnss", "kind": "sensor", "title": "GNSS receiver",
///  "vendor": "sim",
///  "ladder": {"name": "location", "rank": 2, "serves": "5 m"},
///  "states": [{"name": "off", "power": "0 W", "on": false},
///             {"name": "search", "power": "75 mW", "on": true}],
///  "transitions": [["off", "search"], ["search", "off"]],
///  "initial": "off", "safe": "off",
///  "events": [{"name": "scan", "energy": "600 mJ"}],
///  "verbs": ["start", "stop", "pause", "downgrade", "batch", "flush", "fix"],
///  "attributes": [{"name": "accuracy", "unit": "m", "range": ["5 m", "3 km"]},
///                 {"name": "activity", "options": ["other", "fitness"], "default": "other"}],
///  "fifo": 600, "inputs": ["motion.gyro"], "provides": ["positioning"],
///  "channels": [{"name": "latitude", "unit": "deg"}],
///  "facts": [{"name": "accuracy", "unit": "m", "range": ["0 m", "10 km"], "max_age": "10 s",
///             "fastest": "1 s", "noisy": true, "meaning": "95 % radius of the last fix"}],
///  "figures": {"cold_fix": "47 s"}}
/// ```
/// With `"stint_manifest": 2`, a manifest may also have these members:
///
/// - `"version": "1.2"`, `"author": "A. Maker <a@example.org>"` and `"licence": "MIT"` of the plugin
/// - `"roles": ["air_quality"]`: the author's words for the kind of the device; services do not use them
/// - `"classes": ["motion.gyro"]`: the classes of the device, besides the class with its name; without
///   `"provides"`, the device also has the roles of these classes
/// - attributes with the power that each value adds while the device is on, as in
///   `{"name": "gain", "values": [{"value": "low", "power": "0 W"}, {"value": "high", "power": "3 mW"}]}` or
///   `{"name": "window", "unit": "ms", "range": ["10 ms", "1 s"], "power": ["1 mW", "30 mW"]}`
/// - up to 64 channels; the values of a channel may be words: `{"name": "class", "options": ["dust",
///   "smoke"]}`
/// - up to 4 channels of bytes behind the other channels, with up to 255 bytes in each value: `{"name":
///   "payload", "bytes": 32}`
/// - `"units": [{"symbol": "S/m", "dimension": "A/V/m", "factor": 1}]`: further units for this manifest, for
///   policies and for values of its facts. `dimension` is a product of units of the language, or `1`.
/// - families of facts: `{"name": "tag.*", "unit": "m", "keys": 32, "max_age": "30 s"}`. The plugin publishes
///   facts such as `tag.4711`, with at most `keys` different keys.
///
/// A fact has a `"unit"`, `"options"` or `"boolean": true`. A name with a dot is the full path of the fact;
/// any other name is appended to the device's name.
///
/// - `"provides"` names the roles of the device, see `DeviceRole`. Without it, the roles follow from the
///   facts, the kind and the name.
/// - `"always": true` marks a fact that is published even while the sensor is off. A rule that reads any
///   other fact turns the sensor on.
/// - `"per_hertz": "9 uW"` in a state is the additional power per hertz of sampling rate.
/// - `"figures"` may state `"silence": "2 min"`, the longest time for which a working sensor sends nothing,
///   and `"first_sample": "3 min"`, the time to the first sample after switching on; see `SilenceLimit`.
/// - `"read": {"every": "60 s", "per_second": "0.02 %"}` marks a fact of a source that is published only when
///   it is read. `every` is the least time between two readings. `per_second` is the largest change of the
///   value per second; it may be omitted when it is unknown.
/// - `"per_second": "0.1 C"` of a sensor's fact is the largest change of its value per second. Rules then
///   read the sensor less often while the value is far from their limits.
/// - `"rate": "25 Hz"` of a sensor's fact is the lowest sampling rate at which the sensor publishes the fact.
///   A rule that reads the fact requests at least this rate.
/// - `"figures"` of a sensor for positions may state `"top_speed": "20 m/s"`, the highest plausible speed of
///   the person or vehicle that carries the sensor; 45 m/s without this figure. The time between two position
///   probes follows from the highest speed of all sensors for positions.
public struct Manifest: Hashable, Sendable {
  /// The name of the device.
  public var device: DeviceID
  /// The kind of the device.
  public var kind: DeviceKind
  /// The title of the device for display.
  public var title: String
  /// The vendor of the device.
  public var vendor: String
  /// The version, author and licence of the plugin, and the words of its author for the device.
  public var about = ManifestAbout()
  /// The names of the classes that the manifest states; see `DeviceClass`.
  public var statedClasses: [String] = []
  /// The units that the manifest declares.
  public var units: [MeasureUnit] = []
  /// The family of interchangeable devices that the device belongs to; nil without a family.
  public var ladder: LadderRank?
  /// The power states; empty for a `source`.
  public var states: [PowerState]
  /// The permitted transitions between states, as indexes into `states`.
  public var transitions: [Transition]
  /// The state at start, as an index into `states`.
  public var initial: Int
  /// The state to assume when the plugin is lost, as an index into `states`.
  public var safe: Int
  /// The events with a fixed energy cost.
  public var events: [PricedEvent]
  /// The verbs that policies may apply to the device.
  public var verbs: [Verb]
  /// The attributes that demands may set.
  public var attributes: [AttributeSchema]
  /// The number of samples that the device can buffer; 0 without a buffer.
  public var fifo: Int
  /// The devices from whose samples this device computes its own samples. A policy that starts this device
  /// also starts its inputs.
  public var inputs: [DeviceID]
  /// The channels of a sample, at most `InputBounds.channels`; in version 1 of the format at most four.
  public var channels: [Channel]
  /// The facts that the device publishes.
  public var facts: [FactSchema]
  /// The roles in the manifest; nil when they follow from facts, kind and name.
  public var statedRoles: Set<DeviceRole>?
  /// Further figures of the device by name, such as first-fix times and link rates.
  public var figures: [String: Quantity]

  /// Makes a manifest. Check it with `faults()` before use.
  public init(
    device: DeviceID, kind: DeviceKind, title: String, vendor: String = "", ladder: LadderRank? = nil,
    states: [PowerState] = [], transitions: [Transition] = [], initial: Int = 0, safe: Int = 0,
    events: [PricedEvent] = [], verbs: [Verb] = [], attributes: [AttributeSchema] = [], fifo: Int = 0,
    inputs: [DeviceID] = [], channels: [Channel] = [], facts: [FactSchema] = [],
    statedRoles: Set<DeviceRole>? = nil, figures: [String: Quantity] = [:]
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
    self.statedRoles = statedRoles
    self.figures = figures
  }

  /// The roles in which services use the device.
  public var provides: Set<DeviceRole> {
    statedRoles ?? DeviceRole.implied(device: device, kind: kind, facts: facts)
  }

  /// Returns the unit of a channel; nil for a channel of words or bytes, and for an unknown unit symbol.
  public func unit(of channel: Channel) -> MeasureUnit? {
    guard channel.options.isEmpty, channel.bytes == nil else { return nil }
    return channel.unit.isEmpty
      ? MeasureUnit(symbol: "", dimension: .none, scale: 1) : unit(named: channel.unit)
  }

  /// The channels of numbers and words, which precede the channels of bytes.
  public var plainChannels: ArraySlice<Channel> { channels.prefix { $0.bytes == nil } }

  /// The channels of bytes.
  public var byteChannels: ArraySlice<Channel> { channels.drop { $0.bytes == nil } }

  /// The number of channels of numbers and words after the fourth channel. `Batch.wide` contains the values
  /// of these channels.
  public var wideWidth: Int { max(plainChannels.count - Channel.inlineCount, 0) }

  /// Returns the unit with this symbol: a declared unit, or a unit of the language. Nil when no unit has this
  /// symbol.
  public func unit(named symbol: String) -> MeasureUnit? { UnitTable(units).named(symbol) }

  /// Returns the index of the state with this name; nil when none exists.
  public func state(named name: String) -> Int? { states.firstIndex { $0.name == name } }

  /// Returns the index of the event with this name; nil when none exists.
  public func event(named name: String) -> Int? { events.firstIndex { $0.name == name } }

  /// Returns the schema of the attribute with this name; nil when none exists.
  public func attribute(named name: String) -> AttributeSchema? { attributes.first { $0.name == name } }

  /// Returns whether the device can change directly from one state to another; both are indexes into
  /// `states`.
  public func permits(from: Int, to: Int) -> Bool {
    from == to || transitions.contains(Transition(from: from, to: to))
  }
}
