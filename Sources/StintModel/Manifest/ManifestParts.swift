public import StintUnits

/// What sort of thing a device is; it decides what a demand on it means.
public enum DeviceKind: String, Hashable, Sendable, CaseIterable {
  /// Yields samples while it is on.
  case sensor
  /// Carries transfers.
  case radio
  /// The host's processor: woken by deliveries, kept awake by streams too fast to sleep between.
  case processor
  /// Only knows facts, and draws nothing that a policy could change: a battery gauge, the host itself.
  case source
}

/// What a policy can ask of a device.
public enum Verb: String, Hashable, Sendable, CaseIterable {
  case start, stop, pause, downgrade, batch, `defer`, watch, fix, flush
}

/// A place in a family of devices that can stand in for each other, cheapest first.
///
/// A demand on a member is served by the available member with the lowest rank whose `serves` is at least as
/// fine
/// as what is granted, and never by one of a higher rank than the member asked for.
public struct Ladder: Hashable, Sendable {
  public var name: String
  /// 0 is the cheapest.
  public var rank: Int
  /// The finest accuracy, in metres, that this member answers for; nil when accuracy does not matter.
  public var serves: Double?

  /// Makes a place on a ladder.
  public init(name: String, rank: Int, serves: Double?) {
    self.name = name
    self.rank = rank
    self.serves = serves
  }
}

/// A state in which a device draws a known power.
public struct PowerState: Hashable, Sendable {
  public var name: String
  public var power: Power
  /// Added for each hertz of sampling rate; zero where the rate costs nothing.
  public var perHertz: Power
  /// True for states that need a demand; false for the floor (off, standby, idle, suspended).
  public var isOn: Bool

  /// Makes a state.
  public init(name: String, power: Power, perHertz: Power = .zero, isOn: Bool) {
    self.name = name
    self.power = power
    self.perHertz = perHertz
    self.isOn = isOn
  }

  /// What the state draws at one sample each `period`, up to the largest power there is.
  public func power(at period: TimeSpan?) -> Power {
    guard let period, perHertz != .zero, period.nanoseconds > 0 else { return power }
    return power
      + Power(
        nanowatts: Int64(clamping: Int128(perHertz.nanowatts) * 1_000_000_000 / Int128(period.nanoseconds)))
  }
}

/// A move between two power states; indexes into the manifest's `states`.
public struct Transition: Hashable, Sendable {
  public var from: Int
  public var to: Int

  /// Makes a transition.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// Something a device does that costs a fixed amount: a scan, a lookup, a wake.
public struct PricedEvent: Hashable, Sendable {
  public var name: String
  public var energy: Energy

  /// Makes a priced event.
  public init(name: String, energy: Energy) {
    self.name = name
    self.energy = energy
  }
}

/// One number of each sample, with its unit.
public struct Channel: Hashable, Sendable {
  public var name: String
  public var unit: String

  /// Makes a channel.
  public init(name: String, unit: String) {
    self.name = name
    self.unit = unit
  }
}

/// A setting that a demand, a `default` or a `with` may carry for a device.
public struct AttributeSchema: Hashable, Sendable {
  public var name: String
  public var type: FactType
  /// What the device can honour, in base units; nil when anything goes.
  public var range: ClosedRange<Double>?
  /// The value for demands that leave it open.
  public var fallback: FactValue

  /// Makes a schema; `fallback` is `.unknown` where there is none.
  public init(name: String, type: FactType, range: ClosedRange<Double>? = nil, fallback: FactValue = .unknown)
  {
    self.name = name
    self.type = type
    self.range = range
    self.fallback = fallback
  }
}
