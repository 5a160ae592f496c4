public import StintUnits

/// An app of a scenario, with what it demands, what it sends and the services that it asks for.
public struct ScenarioClient: Hashable, Sendable {
  public var name: ClientID
  public var demands: [ScenarioDemand]
  public var transfers: [ScenarioTransfers]
  public var services: [ScenarioService]

  /// Makes a client.
  public init(
    name: ClientID, demands: [ScenarioDemand] = [], transfers: [ScenarioTransfers] = [],
    services: [ScenarioService] = []
  ) {
    self.name = name
    self.demands = demands
    self.transfers = transfers
    self.services = services
  }
}

/// A demand that stands from one time to another.
public struct ScenarioDemand: Hashable, Sendable {
  public var target: DeviceID
  public var wants: DemandSettings
  public var from: TimeSpan
  /// Nil for the whole scenario.
  public var until: TimeSpan?

  /// Makes a demand.
  public init(target: DeviceID, wants: DemandSettings, from: TimeSpan = .zero, until: TimeSpan? = nil) {
    self.target = target
    self.wants = wants
    self.from = from
    self.until = until
  }
}

/// Transfers of one size that come again and again.
public struct ScenarioTransfers: Hashable, Sendable {
  public var target: DeviceID
  public var transfer: Transfer
  public var first: TimeSpan
  /// Nil for a single one.
  public var every: TimeSpan?
  /// Nil for as often as fits.
  public var count: Int?

  /// Makes a series.
  public init(
    target: DeviceID, transfer: Transfer, first: TimeSpan, every: TimeSpan? = nil, count: Int? = nil
  ) {
    self.target = target
    self.transfer = transfer
    self.first = first
    self.every = every
    self.count = count
  }
}

/// Facts that take new values at one time.
public struct FactChange: Hashable, Sendable {
  public var at: TimeSpan
  /// Each path with its value as the scenario spells it: a quantity, a word, `true` or `false`, `unknown`.
  public var values: [FactAssignment]

  /// Makes a change.
  public init(at: TimeSpan, values: [FactAssignment]) {
    self.at = at
    self.values = values
  }
}

/// A path and the text of a value; a vocabulary turns it into a fact.
public struct FactAssignment: Hashable, Sendable {
  public var path: String
  public var text: String

  /// Makes an assignment.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// Something that goes wrong with a device, or with the phone itself, for a while.
public struct InjectedFault: Hashable, Sendable {
  /// What goes wrong.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It stays on but yields nothing.
    case dropout
    /// It repeats what it measured last.
    case stuck
    /// What it measures is far off.
    case noisy
    /// What it says comes later by `delay`, in order.
    case late
    /// Each of its batches comes twice.
    case duplicated
    /// Its clock is ahead by `delay`.
    case clock
    /// It is gone, as a radio without network or a sensor unplugged, and comes back as it was.
    case loss
    /// Its driver restarts: it is off, gone, and the samples that it held are lost.
    case crash
    /// Not a device's: nothing can be written to the disk.
    case disk
    /// Not a device's: memory is short.
    case memory

    /// Whether it strikes one device, and not the phone.
    public var strikesDevice: Bool { self != .disk && self != .memory }

    /// All that strike devices.
    public static let ofDevices = allCases.filter(\.strikesDevice)
  }

  /// What is struck; `phone` for what strikes no single device.
  public var device: DeviceID
  public var at: TimeSpan
  public var duration: TimeSpan
  public var kind: Kind
  /// How late, or how far ahead, where the kind needs it.
  public var delay: TimeSpan

  /// Stands for the phone itself where a device is named.
  public static let phone = DeviceID("phone")
  /// The delay where none is said.
  public static let usualDelay = TimeSpan.seconds(30)

  /// Makes a strike.
  public init(
    device: DeviceID, at: TimeSpan, duration: TimeSpan, kind: Kind, delay: TimeSpan = Self.usualDelay
  ) {
    self.device = device
    self.at = at
    self.duration = duration
    self.kind = kind
    self.delay = delay
  }
}

extension FactSchema {
  /// Reads a value as people write it (`41 %`, `walking`, `true`, `unknown`); nil when it does not fit the
  /// type.
  public func value(from text: String) -> FactValue? {
    if text == "unknown" { return .unknown }
    switch type {
    case .boolean:
      return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .symbol(let words):
      return words.firstIndex(of: text).map(FactValue.symbol)
    case .quantity(let dimension):
      let quantity: Quantity
      do { quantity = try Quantity(parsing: text) } catch { return nil }
      guard quantity.dimension == dimension else { return nil }
      return .number(quantity.value)
    }
  }
}

/// A low-power Bluetooth advertiser somewhere in a scenario's world.
public struct PlacedBeacon: Hashable, Sendable {
  public var identity: String
  public var major: Int
  public var minor: Int
  public var place: Coordinate
  /// How far it can be heard, in metres.
  public var range: Double

  /// Puts a beacon somewhere.
  public init(identity: String, major: Int, minor: Int, place: Coordinate, range: Double = 30) {
    self.identity = identity
    self.major = major
    self.minor = minor
    self.place = place
    self.range = range
  }

  /// The facts that say whether it is heard, from all of its kind to this one, as `Zone.beaconFact` spells them.
  public var facts: [String] {
    ["beacon.\(identity)", "beacon.\(identity).\(major)", "beacon.\(identity).\(major).\(minor)"]
  }
}
