public import StintUnits

/// The ledger charges each amount of energy three times: to a device, to clients and to rules.
///
/// A cost shared by several demands is split evenly among them. But the cost of a higher sampling rate, or of
/// more expensive attributes, is paid only by the demands that need them (`EnergyDivision`). The part of each
/// demand is split evenly among the rules that changed its grant. Each nanojoule goes to exactly one demand
/// and rule, so the three sums are always exactly equal.
public struct Ledger: Hashable, Sendable {
  /// The energy of each device.
  public private(set) var byDevice: [DeviceID: Energy] = [:]
  /// The energy of each client; `ClientID.system` for floor power.
  public private(set) var byClient: [ClientID: Energy] = [:]
  /// The energy of each rule, with `RuleID.asAsked` and `RuleID.floor` for energy without a rule.
  public private(set) var byRule: [RuleID: Energy] = [:]
  /// The energy of each service, which is also part of the energy of its clients.
  public private(set) var byService: [ServiceWord: Energy] = [:]
  /// The energy of all devices together.
  public private(set) var total: Energy = .zero
  /// The number of rejected amounts: negative amounts, and amounts that would overflow the total.
  ///
  /// No part of a rejected amount is charged, so the sums stay equal. Manifests within `InputBounds` never
  /// cause an overflow.
  public private(set) var refused = 0

  /// Makes an empty ledger.
  public init() {}

  /// Charges an amount of a device to its cause. A nil cause, or a cause without links, means floor power.
  ///
  /// No other entry exceeds the total, so an amount that fits into the total fits into every entry.
  ///
  /// - Parameters:
  ///   - amount: the energy to divide.
  ///   - device: the device that used the energy.
  ///   - cause: the demands for which the device worked; nil for energy without a known cause.
  ///   - division: the parts that these demands pay, computed for this cause.
  ///   - basis: the composition of the amount.
  ///   - earlier: the amount that the same cause has already paid for the same interval. An amount that is
  ///     charged in several pieces is then divided exactly like the whole amount.
  public mutating func charge(
    _ amount: Energy, device: DeviceID, cause: Cause?, divided division: EnergyDivision = EnergyDivision(),
    over basis: EnergyDivision.Basis = .common, after earlier: Energy = .zero
  ) {
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
    let whole = earlier + amount
    guard !division.isEven else {
      for (place, link) in cause.links.enumerated() {
        let count = cause.links.count
        charge(link, from: earlier.share(place, of: count), to: whole.share(place, of: count))
      }
      return
    }
    let weights = division.weights(over: basis)
    var lower = Int64(0)
    for (place, link) in cause.links.enumerated() {
      let range = lower..<lower + weights[place]
      charge(link, from: earlier.part(range), to: whole.part(range))
      lower = range.upperBound
    }
  }

  /// Charges the difference of two amounts to a demand.
  private mutating func charge(_ link: Cause.Link, from before: Energy, to after: Energy) {
    byClient[link.client, default: .zero] += after - before
    if let service = link.service { byService[service, default: .zero] += after - before }
    if link.rules.isEmpty {
      byRule[.asAsked, default: .zero] += after - before
    } else {
      for (rank, rule) in link.rules.enumerated() {
        let count = link.rules.count
        byRule[rule, default: .zero] += after.share(rank, of: count) - before.share(rank, of: count)
      }
    }
  }

  /// Whether the three sums equal the total.
  public var isBalanced: Bool {
    let sums = [Array(byDevice.values), Array(byClient.values), Array(byRule.values)]
    return sums.allSatisfy { $0.reduce(.zero, +) == total }
  }
}

extension Energy {
  /// Returns the part of the amount that belongs to a range of `0..<EnergyDivision.whole`.
  ///
  /// Each nanojoule belongs to one number of this interval. The numbers are spread evenly over the interval,
  /// so a part differs by a few nanojoules from its exact size. The parts of adjacent ranges have exactly the
  /// sum of the amount, and no part becomes smaller when the amount grows.
  func part(_ range: Range<Int64>) -> Energy {
    Energy(nanojoules: count(below: range.upperBound) - count(below: range.lowerBound))
  }

  /// Returns how many nanojoules belong to numbers below `bound`.
  ///
  /// Nanojoule `k` belongs to the number whose 24 bits are the low bits of `k` in reverse order.
  private func count(below bound: Int64) -> Int128 {
    guard bound < EnergyDivision.whole else { return nanojoules }
    var (count, low) = (Int128(0), Int128(0))
    let bits = EnergyDivision.whole.trailingZeroBitCount
    for bit in 0..<bits where bound >> Int64(bits - 1 - bit) & 1 == 1 {
      // The nanojoules whose numbers equal `bound` in the bits before the present bit, and are smaller in the
      // present bit.
      if nanojoules > low { count += (nanojoules - low - 1) >> Int128(bit + 1) + 1 }
      low |= 1 << Int128(bit)
    }
    return count
  }
}

/// The energy that devices may use in each period.
public struct Budget: Hashable, Sendable {
  /// The length of the period.
  public enum Period: String, Hashable, Sendable, CaseIterable {
    case hour, day
    /// A week that begins on Monday.
    case week
  }

  /// The energy per period; above zero.
  public var amount: Energy
  /// The length of the period.
  public var period: Period
  /// The start of a period, as time since local midnight; for a week, since the midnight at which Monday
  /// begins. For an hour, it is the time since the full hour.
  public var from: TimeSpan
  /// The devices that share the budget, sorted.
  public var devices: [DeviceID]

  /// Makes a budget; `amount` must be above zero.
  public init(amount: Energy, period: Period, from: TimeSpan, devices: [DeviceID]) {
    self.amount = amount
    self.period = period
    self.from = from
    self.devices = devices
  }
}

/// The reason why a device draws power. For each demand that the device serves, the reason is the chain
/// client → demand → rules → grant → setting.
public struct Cause: Hashable, Sendable {
  /// The part of one demand in the cause.
  public struct Link: Hashable, Sendable {
    /// The client that raised the demand.
    public var client: ClientID
    /// The demand.
    public var demand: DemandID
    /// The rules that changed the grant, sorted; empty when the grant equals the demand.
    public var rules: [RuleID]
    /// The grant of the demand.
    public var grant: Grant
    /// The service that raised the demand; nil when a client raised it directly.
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

  /// The device that draws power.
  public var device: DeviceID
  /// One link per demand, sorted by demand; empty only for floor power.
  public var links: [Link]
  /// The setting of the device.
  public var setting: Setting

  /// Makes a cause.
  public init(device: DeviceID, links: [Link], setting: Setting) {
    self.device = device
    self.links = links
    self.setting = setting
  }

  /// True when at least one demand leads to a setting that turns the device on.
  public var isComplete: Bool { !links.isEmpty && setting.isOn }
}
