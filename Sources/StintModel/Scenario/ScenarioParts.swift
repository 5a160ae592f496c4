public import StintUnits

/// An app of a scenario or a site with its permission, demands, transfers and services.
public struct ScenarioClient: Equatable, Sendable {
  /// The name of the app.
  public var name: ClientID
  /// The user's decisions about the app; everything is allowed by default.
  public var permissions: Permissions
  /// True when the app may be served in the background; true by default.
  public var mayBackground: Bool
  /// The demands of the app.
  public var demands: [ScenarioDemand]
  /// The periodic transfers of the app.
  public var transfers: [ScenarioTransfers]
  /// The services that the app requests.
  public var services: [ScenarioService]

  /// Makes a client.
  public init(
    name: ClientID, permissions: Permissions = .always, mayBackground: Bool = true,
    demands: [ScenarioDemand] = [], transfers: [ScenarioTransfers] = [], services: [ScenarioService] = []
  ) {
    self.name = name
    self.permissions = permissions
    self.mayBackground = mayBackground
    self.demands = demands
    self.transfers = transfers
    self.services = services
  }
}

/// A demand that is active during a part of the scenario.
public struct ScenarioDemand: Hashable, Sendable {
  /// The requested device.
  public var target: DeviceID
  /// The requested settings.
  public var wants: DemandSettings
  /// The time from the start of the scenario to the beginning of the demand.
  public var from: TimeSpan
  /// The time from the start of the scenario to the end of the demand; nil for the whole scenario.
  public var until: TimeSpan?

  /// Makes a demand.
  public init(target: DeviceID, wants: DemandSettings, from: TimeSpan = .zero, until: TimeSpan? = nil) {
    self.target = target
    self.wants = wants
    self.from = from
    self.until = until
  }
}

/// A series of transfers of one size.
public struct ScenarioTransfers: Hashable, Sendable {
  /// The radio that carries the transfers.
  public var target: DeviceID
  /// The size and deadline of each transfer.
  public var transfer: Transfer
  /// The time from the start of the scenario to the first transfer.
  public var first: TimeSpan
  /// The time between two transfers; nil for a single transfer.
  public var every: TimeSpan?
  /// The number of transfers; nil for as many as fit into the scenario.
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

/// A change of facts at one time.
public struct FactChange: Hashable, Sendable {
  /// The time from the start of the scenario.
  public var at: TimeSpan
  /// The new values as in the scenario file: a quantity, a word, `true`, `false` or `unknown`.
  public var values: [FactAssignment]

  /// Makes a change.
  public init(at: TimeSpan, values: [FactAssignment]) {
    self.at = at
    self.values = values
  }
}

/// The path of a fact and its value as a string. A vocabulary converts the string to a typed value.
public struct FactAssignment: Hashable, Sendable {
  /// The path of the fact.
  public var path: String
  /// The value as a string.
  public var text: String

  /// Makes an assignment.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// A temporary fault of a device or of the phone itself.
public struct InjectedFault: Hashable, Sendable {
  /// The kind of the fault.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The device stays on but produces no samples.
    case dropout
    /// The device repeats its last measurement.
    case stuck
    /// The measurements have large errors.
    case noisy
    /// All output of the device arrives later by `delay`, in order.
    case late
    /// Each batch of the device arrives twice.
    case duplicated
    /// The clock of the device is ahead by `delay`.
    case clock
    /// The device is unavailable, like a radio without network or an unplugged sensor. Afterwards the device
    /// reports its availability and its last state again.
    case loss
    /// The driver of the device restarts: the device is off and unavailable, and its held samples are lost.
    case crash
    /// A fault of the phone: nothing can be written to the disk.
    case disk
    /// A fault of the phone: memory is low.
    case memory

    /// True when the fault affects one device. False when it affects the whole phone.
    public var strikesDevice: Bool { self != .disk && self != .memory }

    /// The kinds that affect one device.
    public static let ofDevices = allCases.filter(\.strikesDevice)
  }

  /// The affected device; `phone` for faults of the phone itself.
  public var device: DeviceID
  /// The time from the start of the scenario to the fault.
  public var at: TimeSpan
  /// The duration of the fault.
  public var duration: TimeSpan
  /// The kind of the fault.
  public var kind: Kind
  /// The delay of `late` or the clock error of `clock`; unused by the other kinds.
  public var delay: TimeSpan

  /// The device name that stands for the phone itself.
  public static let phone = DeviceID("phone")
  /// The default delay.
  public static let usualDelay = TimeSpan.seconds(30)

  /// Makes a fault.
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
  /// Parses a value in common notation (`41 %`, `walking`, `true`, `unknown`); nil when the text does not fit
  /// the type.
  public func value(from text: String) -> FactValue? {
    if text == "unknown" { return .unknown }
    switch type {
    case .boolean:
      return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .symbol(let words):
      return words.firstIndex(of: text).map(FactValue.symbol)
    case .quantity(let dimension):
      let quantity: Quantity
      do { quantity = try Quantity(parsing: text, units: UnitTable([unit].compactMap(\.self))) } catch {
        return nil
      }
      guard quantity.dimension == dimension else { return nil }
      return .number(quantity.value)
    }
  }
}

/// A Bluetooth Low Energy beacon in the world of a scenario.
public struct PlacedBeacon: Hashable, Sendable {
  /// The advertised identity of the beacon, such as `f7826da6`; several beacons may share it.
  public var identity: String
  /// The major number of the beacon.
  public var major: Int
  /// The minor number of the beacon.
  public var minor: Int
  /// The position of the beacon.
  public var place: Coordinate
  /// The distance up to which the beacon is received, in metres.
  public var range: Double

  /// Makes a beacon at a position.
  public init(identity: String, major: Int, minor: Int, place: Coordinate, range: Double = 30) {
    self.identity = identity
    self.major = major
    self.minor = minor
    self.place = place
    self.range = range
  }

  /// The facts that publish whether the beacon is received, named as in `Zone.beaconFact`. The first fact is
  /// for all beacons of the identity. The second fact is for the beacons with the same major number. The
  /// third fact is for this beacon alone.
  public var facts: [String] {
    ["beacon.\(identity)", "beacon.\(identity).\(major)", "beacon.\(identity).\(major).\(minor)"]
  }
}
