public import StintUnits

/// A service, or transfer tasks, that a rule runs while the rule is in force. This work has no expiry time of
/// its own.
public struct RuleService: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The work for the rule.
  public enum Work: Hashable, Sendable {
    /// A service and the device that it observes; the device is nil for a service that chooses its devices
    /// itself.
    case service(ServiceWord, on: DeviceID?)
    /// Transfer tasks of clients.
    case transfers(TransferStart)
  }

  /// The work for the rule.
  public var work: Work
  /// The rule that runs the work.
  public var rule: RuleID

  /// Makes a service of a rule.
  public init(_ word: ServiceWord, on target: DeviceID?, rule: RuleID) {
    work = .service(word, on: target)
    self.rule = rule
  }

  /// Makes transfer tasks of a rule.
  public init(_ start: TransferStart, rule: RuleID) {
    work = .transfers(start)
    self.rule = rule
  }

  /// The service; nil for transfer tasks.
  public var word: ServiceWord? {
    if case .service(let word, _) = work { word } else { nil }
  }

  /// The device that the service observes; nil for a service without such a device and for transfers.
  public var target: DeviceID? {
    if case .service(_, let target) = work { target } else { nil }
  }

  /// The client of the work. Its name is the name of the rule's policy.
  public var client: ClientID { ClientID(rule.policy) }

  public var description: String {
    switch work {
    case .service(let word, let target): "\(word.rawValue)\(target.map { " on \($0)" } ?? "") for \(rule)"
    case .transfers(let start): "transfers\(start.words) for \(rule)"
    }
  }

  public static func < (left: RuleService, right: RuleService) -> Bool { left.order < right.order }

  private var order: (String, String, RuleID) {
    switch work {
    case .service(let word, let target): (word.rawValue, target?.path ?? "", rule)
    case .transfers(let start): ("transfers", start.words, rule)
    }
  }
}

/// The service that raised a demand, and the rule that runs the service.
public struct ServiceOrigin: Hashable, Sendable {
  /// The service.
  public var word: ServiceWord
  /// The rule that runs the service; nil for a client's request.
  public var rule: RuleID?

  /// Makes the origin of a demand.
  public init(_ word: ServiceWord, rule: RuleID? = nil) {
    self.word = word
    self.rule = rule
  }
}

/// A service that policies may start and stop by name.
public enum ServiceWord: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Arrivals at places where the user stays, and departures.
  case visits
  /// Movements of half a kilometre or more.
  case moves
  /// The orientation of the device.
  case orientation

  /// Whether policies name a positioning device for the service; false for orientation.
  public var isWatched: Bool { self != .orientation }

  public static func < (left: ServiceWord, right: ServiceWord) -> Bool { left.rawValue < right.rawValue }
}

/// Defaults that apply on a device when a client's request for a service omits an option.
public struct ServiceDefaults: Hashable, Sendable {
  /// The least distance between two delivered positions, in metres.
  public var filter: Double?
  /// Whether positions are made as coarse as the client requested.
  public var fuzz: Bool?
  /// The period at which the `moves` service wakes the app without movement; zero for no such wake-ups.
  public var heartbeat: TimeSpan?
  /// Whether orientation stops only after as many end calls as begin calls.
  public var nested: Bool?
  /// The transfer session that the other options apply to; nil for all sessions.
  public var session: String?
  /// Whether the system chooses the time of transfers.
  public var discretionary: Bool?
  /// Whether transfers may use the cellular radio.
  public var cellular: Bool?
  /// Whether the transfers of a session continue after the client's process has ended.
  public var outOfProcess: Bool?

  /// Makes defaults in which all options are nil.
  public init() {}

  /// The options as a `default` block of a policy writes them, such as `filter 10 m`. Used by reports.
  public var words: [String] {
    func word(_ name: String, _ truth: Bool?) -> String? { truth.map { "\(name) \($0 ? "on" : "off")" } }
    return [
      filter.map { "filter \(Quantity($0, .length))" }, word("fuzz", fuzz),
      heartbeat.map { "heartbeat \($0 == .zero ? "off" : $0.description)" }, word("nested", nested),
      session.map { "session \"\($0)\"" }, word("discretionary", discretionary),
      word("cellular", cellular), word("out_of_process", outOfProcess),
    ].compactMap { $0 }
  }

  /// Whether all options are nil.
  public var isEmpty: Bool { self == ServiceDefaults() }

  /// Merges the defaults of two policies. Of two values of an option, the value that causes less work or
  /// gives less detail applies. If both defaults name a session, the session of `self` applies.
  public func merged(with other: ServiceDefaults) -> ServiceDefaults {
    var result = self
    result.filter = [filter, other.filter].compactMap(\.self).max()
    result.fuzz = either(fuzz, other.fuzz) { $0 || $1 }
    // It is cheapest to have no heartbeat (zero). Of two heartbeats, the longer period is cheaper.
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
