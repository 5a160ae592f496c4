/// The name of a device on the bus, as policies and manifests spell it: `location.gnss`.
public struct DeviceID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let path: String

  /// Names a device; the spelling is checked where manifests are read.
  public init(_ path: String) { self.path = path }
  public init(stringLiteral value: String) { self.path = value }

  public var description: String { path }
  public static func < (left: DeviceID, right: DeviceID) -> Bool { left.path < right.path }
}

/// The name of an app attached to the bus: `trail-app`.
public struct ClientID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let name: String

  /// Names a client.
  public init(_ name: String) { self.name = name }
  public init(stringLiteral value: String) { self.name = value }

  /// The client that floor power is booked to, for which there is no demand.
  public static let system = ClientID("system")

  public var description: String { name }
  public static func < (left: ClientID, right: ClientID) -> Bool { left.name < right.name }
}

/// The name of a rule within its policy: `hiking/hold`.
public struct RuleID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let policy: String
  public let rule: String

  /// Names a rule.
  public init(policy: String, rule: String) {
    self.policy = policy
    self.rule = rule
  }

  /// The account of what no rule shaped: the demand as it was asked.
  public static let asAsked = RuleID(policy: "", rule: "as asked")
  /// The account of floor power.
  public static let floor = RuleID(policy: "", rule: "floor")

  public var description: String { policy.isEmpty ? rule : "\(policy)/\(rule)" }
  public static func < (left: RuleID, right: RuleID) -> Bool {
    (left.policy, left.rule) < (right.policy, right.rule)
  }
}

/// A number that names one demand for the length of a run. The code that raises the demand chooses it, and
/// never reuses it.
public struct DemandID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int64

  /// Names a demand.
  public init(_ number: Int64) { self.number = number }

  public var description: String { "#\(number)" }
  public static func < (left: DemandID, right: DemandID) -> Bool { left.number < right.number }
}
