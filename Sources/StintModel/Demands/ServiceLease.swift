/// A rule's will to have a service run, or tasks of transfers begin, for as long as it is in force.
public struct ServiceLease: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// What runs.
  public enum Work: Hashable, Sendable {
    /// A service, on the device that it is watched on; nil for one that finds its parts itself.
    case service(ServiceWord, on: DeviceID?)
    /// Tasks of clients' transfers.
    case transfers(TransferStart)
  }

  public var work: Work
  public var rule: RuleID

  /// Has a service run.
  public init(_ word: ServiceWord, on target: DeviceID?, rule: RuleID) {
    work = .service(word, on: target)
    self.rule = rule
  }

  /// Lets tasks of transfers begin.
  public init(_ start: TransferStart, rule: RuleID) {
    work = .transfers(start)
    self.rule = rule
  }

  /// The service that runs; nil for transfers.
  public var word: ServiceWord? {
    if case .service(let word, _) = work { word } else { nil }
  }

  /// The device that it is watched on; nil for whatever is watched on none.
  public var target: DeviceID? {
    if case .service(_, let target) = work { target } else { nil }
  }

  /// In whose name it runs: the policy's.
  public var client: ClientID { ClientID(rule.policy) }

  public var description: String {
    switch work {
    case .service(let word, let target): "\(word.rawValue)\(target.map { " on \($0)" } ?? "") for \(rule)"
    case .transfers(let start): "transfers\(start.words) for \(rule)"
    }
  }

  public static func < (left: ServiceLease, right: ServiceLease) -> Bool { left.order < right.order }

  private var order: (String, String, RuleID) {
    switch work {
    case .service(let word, let target): (word.rawValue, target?.path ?? "", rule)
    case .transfers(let start): ("transfers", start.words, rule)
    }
  }
}
