/// The name of a device on the bus, as in policies and manifests: `location.gnss`.
public struct DeviceID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name: words joined by dots.
  public let path: String

  /// Makes a device name. The manifest check validates the spelling.
  public init(_ path: String) { self.path = path }
  public init(stringLiteral value: String) { self.path = value }

  public var description: String { path }
  public static func < (left: DeviceID, right: DeviceID) -> Bool { left.path < right.path }
}

/// A name is encoded as a string.
extension DeviceID: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(path)
  }
}

/// The name of a client. A client is an app that is attached to the bus, such as `trail-app`, or a policy
/// whose rules raise demands.
public struct ClientID: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name as a string.
  public let name: String

  /// Makes a client name.
  public init(_ name: String) { self.name = name }
  public init(stringLiteral value: String) { self.name = value }

  /// The client that is charged for floor power, which is not caused by a demand.
  public static let system = ClientID("system")

  public var description: String { name }
  public static func < (left: ClientID, right: ClientID) -> Bool { left.name < right.name }
}

/// The name of a rule with its policy: `hiking/hold`.
public struct RuleID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name of the policy; empty for the accounts `asAsked` and `floor`.
  public let policy: String
  /// The name of the rule within its policy.
  public let rule: String

  /// Makes a rule name.
  public init(policy: String, rule: String) {
    self.policy = policy
    self.rule = rule
  }

  /// The account for energy of demands that no rule changed.
  public static let asAsked = RuleID(policy: "", rule: "as asked")
  /// The account for floor power.
  public static let floor = RuleID(policy: "", rule: "floor")

  public var description: String { policy.isEmpty ? rule : "\(policy)/\(rule)" }
  public static func < (left: RuleID, right: RuleID) -> Bool {
    (left.policy, left.rule) < (right.policy, right.rule)
  }
}

/// The id of a demand, unique within a run. The code that raises the demand chooses the id and never reuses
/// it.
public struct DemandID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The id as a number.
  public let number: Int64

  /// Makes a demand id.
  public init(_ number: Int64) { self.number = number }

  public var description: String { "#\(number)" }
  public static func < (left: DemandID, right: DemandID) -> Bool { left.number < right.number }
}
