public import StintUnits

/// Who pays what: every amount is booked three times, to a device, among clients, and among rules.
///
/// A cost that several demands share is split evenly among them, and each demand's part evenly among the
/// rules that
/// shaped it; the first in order take the odd nanojoules. So the three sums are equal to the nanojoule,
/// always.
public struct Ledger: Hashable, Sendable {
  public private(set) var byDevice: [DeviceID: Energy] = [:]
  public private(set) var byClient: [ClientID: Energy] = [:]
  public private(set) var byRule: [RuleID: Energy] = [:]
  /// What services drew, of what is booked to their clients.
  public private(set) var byService: [ServiceWord: Energy] = [:]
  public private(set) var total: Energy = .zero
  /// How many amounts were refused because they were negative, or because the total has no room for them.
  ///
  /// Nothing of a refused amount is booked, so that the sums agree; a bounded manifest never gets there.
  public private(set) var refused = 0

  public init() {}

  /// Books an amount of a device to those who caused it; to the system's floor when the cause is nil.
  ///
  /// A cause without links counts as none. No other entry is larger than the total, so its room is that of all.
  public mutating func charge(_ amount: Energy, device: DeviceID, cause: Cause?) {
    guard amount != .zero else { return }
    guard amount > .zero, total.nanojoules <= .max - amount.nanojoules else {
      refused = refused.addingSaturated(1)
      return
    }
    total += amount
    byDevice[device, default: .zero] += amount
    guard let cause, !cause.links.isEmpty else {
      byClient[.system, default: .zero] += amount
      byRule[.floor, default: .zero] += amount
      return
    }
    for (place, link) in cause.links.enumerated() {
      let part = amount.share(place, of: cause.links.count)
      byClient[link.client, default: .zero] += part
      if let service = link.service { byService[service, default: .zero] += part }
      if link.rules.isEmpty {
        byRule[.asAsked, default: .zero] += part
      } else {
        for (rank, rule) in link.rules.enumerated() {
          byRule[rule, default: .zero] += part.share(rank, of: link.rules.count)
        }
      }
    }
  }

  /// Whether the three sums and the total agree.
  public var isBalanced: Bool {
    let sums = [Array(byDevice.values), Array(byClient.values), Array(byRule.values)]
    return sums.allSatisfy { $0.reduce(.zero, +) == total }
  }
}

/// How much energy devices may draw in each period.
public struct Budget: Hashable, Sendable {
  /// What the periods are.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    case hour, day
    /// From Monday on.
    case week
  }

  public var amount: Energy
  public var period: Period
  /// When a period begins, since local midnight (within the hour for hours).
  public var from: TimeSpan
  /// Sorted.
  public var devices: [DeviceID]

  /// Makes a budget; the amount is more than nothing.
  public init(amount: Energy, period: Period, from: TimeSpan, devices: [DeviceID]) {
    self.amount = amount
    self.period = period
    self.from = from
    self.devices = devices
  }
}

/// Why a device draws power: client → demand → rules → grant → setting, for each demand that it serves.
public struct Cause: Hashable, Sendable {
  /// One demand's part in it.
  public struct Link: Hashable, Sendable {
    public var client: ClientID
    public var demand: DemandID
    /// The rules that shaped the grant, sorted; empty when it was granted as asked.
    public var rules: [RuleID]
    public var grant: Grant
    /// The service that raised the demand.
    public var service: ServiceWord?

    /// Makes a link.
    public init(
      client: ClientID, demand: DemandID, rules: [RuleID], grant: Grant, service: ServiceWord? = nil
    ) {
      self.service = service
      self.client = client
      self.demand = demand
      self.rules = rules
      self.grant = grant
    }
  }

  public var device: DeviceID
  /// Sorted by demand; empty only for floor power.
  public var links: [Link]
  public var setting: Setting

  /// Makes a cause.
  public init(device: DeviceID, links: [Link], setting: Setting) {
    self.device = device
    self.links = links
    self.setting = setting
  }

  /// Whether the chain reaches from a client to a setting that turned the device on.
  public var isComplete: Bool { !links.isEmpty && setting.isOn }
}
