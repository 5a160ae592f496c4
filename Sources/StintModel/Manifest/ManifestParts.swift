public import StintUnits

/// The kind of a device; it determines the meaning of demands on the device.
public enum DeviceKind: String, Hashable, Sendable, CaseIterable {
  /// A device that produces samples while it is on.
  case sensor
  /// A device that performs transfers.
  case radio
  /// The processor of the host. Deliveries of samples wake it; a sensor with a short sampling period keeps
  /// the processor awake.
  case processor
  /// A device that publishes facts, such as a battery gauge or the host itself. No policy can change its
  /// power.
  case source
}

/// A verb that policies may apply to a device.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case start, stop, pause, downgrade, batch, `defer`, watch, fix, flush
}

/// The statements of a manifest about its plugin. All parts are for people; none changes a decision.
public struct ManifestAbout: Hashable, Sendable {
  /// The version of the plugin; empty when not stated.
  public var version: String
  /// The author of the plugin; empty when not stated.
  public var author: String
  /// The licence of the plugin, such as `MIT`; empty when not stated.
  public var licence: String
  /// The author's words for the kind of the device, such as `air_quality`.
  public var roles: [String]

  /// Makes a description.
  public init(version: String = "", author: String = "", licence: String = "", roles: [String] = []) {
    self.version = version
    self.author = author
    self.licence = licence
    self.roles = roles
  }
}

/// The rank of a device in a family of devices that can replace each other, cheapest first.
///
/// A demand contains the name of one member. The demand is served by the cheapest available member whose
/// `serves` is nil or at most the granted accuracy. When no cheaper member can serve the demand, the named
/// member serves it at any accuracy. A member of a higher rank than the named member never serves the demand.
public struct LadderRank: Hashable, Sendable {
  /// The name of the family.
  public var name: String
  /// The rank within the family; 0 is the cheapest.
  public var rank: Int
  /// The finest accuracy that the member can serve, in metres; nil when accuracy does not matter.
  public var serves: Double?

  /// Makes a rank in a family.
  public init(name: String, rank: Int, serves: Double?) {
    self.name = name
    self.rank = rank
    self.serves = serves
  }
}

/// A state in which a device draws a known power.
public struct PowerState: Hashable, Sendable {
  /// The name of the state, unique within the manifest.
  public var name: String
  /// The power at a sampling rate of 0 Hz.
  public var power: Power
  /// The additional power per hertz of sampling rate; zero when the rate costs nothing.
  public var perHertz: Power
  /// True for states that need a demand; false for off, standby, idle and suspended.
  public var isOn: Bool

  /// Makes a state.
  public init(name: String, power: Power, perHertz: Power = .zero, isOn: Bool) {
    self.name = name
    self.power = power
    self.perHertz = perHertz
    self.isOn = isOn
  }

  /// Returns the power at one sample per `period`, saturated at the largest representable power.
  public func power(at period: TimeSpan?) -> Power {
    guard let period, perHertz != .zero, period.nanoseconds > 0 else { return power }
    return power
      + Power(
        nanowatts: Int64(clamping: Int128(perHertz.nanowatts) * 1_000_000_000 / Int128(period.nanoseconds)))
  }
}

/// A transition between two power states, as indexes into the manifest's `states`.
public struct Transition: Hashable, Sendable {
  /// The index of the state before the transition.
  public var from: Int
  /// The index of the state after the transition.
  public var to: Int

  /// Makes a transition.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// An event of a device with a fixed energy cost: a scan, a lookup, a wake-up.
public struct PricedEvent: Hashable, Sendable {
  /// The name of the event, unique within the manifest.
  public var name: String
  /// The energy of one event.
  public var energy: Energy

  /// Makes a priced event.
  public init(name: String, energy: Energy) {
    self.name = name
    self.energy = energy
  }
}

/// One value in each sample: a number with a unit, a word, or bytes.
public struct Channel: Hashable, Sendable {
  /// The number of channels whose values are in the sample itself. Values of further channels are in
  /// `Batch.wide`.
  public static let inlineCount = 4

  /// The name of the channel.
  public var name: String
  /// The symbol of the unit; empty for words and bytes.
  public var unit: String
  /// The words of the channel; empty for numbers and bytes. The value of a sample is the index of its word.
  public var options: [String]
  /// The largest number of bytes of a value, at most `InputBounds.channelBytes`; nil for numbers and words.
  public var bytes: Int?

  /// Makes a channel.
  public init(name: String, unit: String, options: [String] = [], bytes: Int? = nil) {
    self.name = name
    self.unit = unit
    self.options = options
    self.bytes = bytes
  }

  /// Returns the word with this index. Nil for a channel of numbers or bytes, and for a value that is not the
  /// index of a word.
  public func word(_ value: Double) -> String? {
    Int(exactly: value).flatMap { options.indices.contains($0) ? options[$0] : nil }
  }
}

/// A setting of a device that a demand, a `default` or a `with` may specify.
public struct AttributeSchema: Hashable, Sendable {
  /// The name of the attribute.
  public var name: String
  /// The type of the value.
  public var type: FactType
  /// The range that the device supports, in base units; nil without limits.
  public var range: ClosedRange<Double>?
  /// The value for demands that do not specify the attribute; `.unknown` without such a value.
  public var fallback: FactValue
  /// The order of the values by their cost. When `cost` is nil, a larger number, a later word and the value
  /// `true` count as more expensive, but no value adds power.
  public var cost: AttributeCost?

  /// Makes a schema; `fallback` is `.unknown` when there is no default value.
  public init(name: String, type: FactType, range: ClosedRange<Double>? = nil, fallback: FactValue = .unknown)
  {
    self.name = name
    self.type = type
    self.range = range
    self.fallback = fallback
  }
}
