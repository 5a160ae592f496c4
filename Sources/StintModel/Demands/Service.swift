public import StintUnits

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

/// Which service raised a demand, and the rule that has it run; nil for one that a client asked for.
public struct ServiceMark: Hashable, Sendable {
  public var word: ServiceWord
  public var rule: RuleID?

  /// Marks a demand of a service.
  public init(_ word: ServiceWord, rule: RuleID? = nil) {
    self.word = word
    self.rule = rule
  }
}

/// A service that policies may begin and stop by a word.
public enum ServiceWord: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Arrivals at places that matter, and departures from them.
  case visits
  /// Changes of place by half a kilometre or more.
  case moves
  /// How the device is turned.
  case orientation

  /// Whether it is watched on a positioning device, rather than started.
  public var isWatched: Bool { self != .orientation }

  public static func < (left: ServiceWord, right: ServiceWord) -> Bool { left.rawValue < right.rawValue }
}

/// What holds for clients' services on a device where their requests leave it open.
public struct ServiceDefaults: Hashable, Sendable {
  /// Metres between two positions that a client gets.
  public var filter: Double?
  /// Whether a client gets positions no finer than it asked.
  public var fuzz: Bool?
  /// How often a watch on moves wakes the app when nothing changes; zero for never.
  public var heartbeat: TimeSpan?
  /// Whether begins and ends of orientation nest.
  public var nested: Bool?
  /// The session of transfers that the other words are about; all where it is nil.
  public var session: String?
  /// Whether the system picks the moment of transfers.
  public var discretionary: Bool?
  /// Whether a byte may ever go over the cellular radio.
  public var cellular: Bool?
  /// Whether sessions of transfers go on when their client's process is gone.
  public var outOfProcess: Bool?

  /// Leaves all open.
  public init() {}

  /// Whether nothing is said.
  public var isEmpty: Bool { self == ServiceDefaults() }

  /// Joins the defaults of two policies: for each the cheaper.
  public func merged(with other: ServiceDefaults) -> ServiceDefaults {
    var result = self
    result.filter = [filter, other.filter].compactMap(\.self).max()
    result.fuzz = either(fuzz, other.fuzz) { $0 || $1 }
    // No heartbeat costs least, then the longest.
    result.heartbeat = either(heartbeat, other.heartbeat) { $0 == .zero || $1 == .zero ? .zero : max($0, $1) }
    result.nested = either(nested, other.nested) { $0 && $1 }
    result.session = session ?? other.session
    result.discretionary = either(discretionary, other.discretionary) { $0 || $1 }
    result.cellular = either(cellular, other.cellular) { $0 && $1 }
    result.outOfProcess = either(outOfProcess, other.outOfProcess) { $0 && $1 }
    return result
  }

  private func either<Value>(_ left: Value?, _ right: Value?, _ choose: (Value, Value) -> Value) -> Value? {
    guard let left, let right else { return left ?? right }
    return choose(left, right)
  }
}
