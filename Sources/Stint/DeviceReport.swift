import StintGovernor
import StintModel
public import StintServices
public import StintUnits

/// A device of a bus at one instant.
public struct DeviceReport: Hashable, Sendable {
  /// A request that the device does not serve now.
  public struct Waiting: Hashable, Sendable {
    /// The name of the client.
    public let client: String
    /// The reason: `paused`, `stopped`, `deferred`, `background` or `unavailable`; `undecided` for a request
    /// that waits for the user's decision about the permission.
    public let status: String
    /// The rules that limit the request, such as `hiking/still`; empty when no rule limits it.
    public let rules: [String]
    /// Why the request has paused itself, and what continues it; nil when the request has not paused itself.
    public let pause: ServicePause?
  }

  /// The name of the device, such as `location.gnss`.
  public let name: String
  /// False when the device was removed or has failed, or when its code is missing.
  public let isAvailable: Bool
  /// True when the governor has switched the device on.
  public let isOn: Bool
  /// The setting in words, as `stint status` prints it, such as `on, 1 per 5 s`.
  public let setting: String
  /// The present power; 0 for a device without power figures.
  public let power: Power
  /// The energy that the device has used since the start of the bus.
  public let energy: Energy
  /// The clients that the device serves, sorted, each once.
  public let served: [String]
  /// The requests that the device does not serve, in the order in which they were raised. Requests that have
  /// paused themselves, and then requests that wait for a decision of the user, come last.
  public private(set) var waiting: [Waiting]
  /// The number of faults since the start of the bus.
  public let faults: Int
  /// The text of the last fault, even if the device works again; nil without faults.
  public let lastFault: String?

  init(
    _ status: DeviceStatus, _ pauses: [PausedService], _ undecided: [UndecidedService], energy: Energy
  ) {
    name = status.manifest.device.path
    isAvailable = status.isAvailable
    isOn = status.setting.isOn
    setting = "\(status.setting)"
    power = status.power
    self.energy = energy
    served = Set(status.demands.filter { $0.grant.status == .served }.map(\.demand.client.name)).sorted()
    waiting = status.demands.filter { $0.grant.status != .served }.map { holder in
      Waiting(
        client: holder.demand.client.name, status: holder.grant.status.rawValue,
        rules: holder.grant.rules.map(\.description), pause: nil)
    }
    // During a check of the position, a paused service has a demand, which is reported above.
    waiting += pauses.filter { $0.device == status.manifest.device && !$0.pause.isChecking }.map { paused in
      Waiting(client: paused.id.client.name, status: "paused", rules: [], pause: paused.pause)
    }
    waiting += undecided.filter { $0.device == status.manifest.device }.map { service in
      Waiting(client: service.id.client.name, status: "undecided", rules: [], pause: nil)
    }
    faults = status.faults
    lastFault = status.lastFault
  }
}

/// The energy that the devices of a bus have used since the start of the bus. It is computed from the power
/// figures in the manifests of the devices. The three lists have the same sum.
public struct EnergyReport: Hashable, Sendable {
  /// The energy of all devices together.
  public let total: Energy
  /// The energy of each device.
  public let byDevice: [String: Energy]
  /// The energy of each client. The entry `system` contains the energy of floor power, which no client
  /// causes.
  public let byClient: [String: Energy]
  /// The energy of each rule. The entry `as asked` contains the energy of demands that no rule changed. The
  /// entry `floor` contains the energy of floor power.
  public let byRule: [String: Energy]

  init(_ ledger: Ledger) {
    func named<Key: Hashable & CustomStringConvertible>(_ entries: [Key: Energy]) -> [String: Energy] {
      Dictionary(entries.map { ("\($0.key)", $0.value) }) { $0 + $1 }
    }
    total = ledger.total
    byDevice = named(ledger.byDevice)
    byClient = named(ledger.byClient)
    byRule = named(ledger.byRule)
  }
}
