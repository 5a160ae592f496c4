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
  public mutating func book(_ amount: Energy, device: DeviceID, cause: Cause?) {
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
