public import StintUnits

/// The effect of a rule on devices while the rule is in force.
public struct Directive: Hashable, Sendable {
  /// The verb with its arguments.
  public enum Action: Hashable, Sendable {
    /// Raises a demand on behalf of a client, or of the policy itself when the client is nil.
    case start(client: ClientID?, wants: DemandSettings)
    case stop
    case pause
    /// Limits the accuracy: the 95 % radius is at least this number of metres.
    case limitAccuracy(accuracy: Double)
    /// Limits the rate to at most one sample per period.
    case slow(period: TimeSpan)
    /// Limits attributes that only the manifest of the device defines. An attribute gets at most the value
    /// given here, or a cheaper value.
    case limitAttributes(AttributeValues)
    /// Holds samples or transfers until the first of these bounds is reached.
    case batch([HoldBound])
    /// Defers each transfer, at most this long after its demand was raised. When the deadline is nil, only
    /// the demand's own deadline limits the deferral. The rule VM ends the directive when its `until`
    /// condition becomes true.
    case postpone(deadline: TimeSpan?)
    /// Determines whether the host is inside the zone `POLICY/NAME`, by position probes of the targets.
    case locate(zone: String)
    /// Runs a service. If the service observes a device, this device is the target.
    case serve(ServiceWord)
    /// Stops all demands of this service on the targets, for all rules, and for all clients except the
    /// directive's `exceptions`.
    case stopService(ServiceWord)
    /// Starts transfer tasks that use the targets.
    case resume(TransferStart)
  }

  /// The rule that issues the directive.
  public var rule: RuleID
  /// The verb with its arguments.
  public var action: Action
  /// The affected devices, sorted. `all` is expanded to the devices.
  public var targets: [DeviceID]
  /// The clients after `except`, which the directive does not affect; sorted.
  public var exceptions: [ClientID]

  /// Makes a directive.
  public init(rule: RuleID, action: Action, targets: [DeviceID], exceptions: [ClientID] = []) {
    self.rule = rule
    self.action = action
    self.targets = targets
    self.exceptions = exceptions
  }
}

extension Directive.Action {
  /// Returns the name of a zone without the name of its policy: `hiking/home` → `home`.
  public static func shortName(ofZone zone: String) -> Substring {
    zone.firstIndex(of: "/").map { zone[zone.index(after: $0)...] } ?? zone[...]
  }
}

/// The one-time action of a `when` or `every` rule.
public enum Act: Hashable, Sendable {
  /// Requests one position with at most this 95 % radius, in metres. The request fails after `timeout`.
  case fix(target: DeviceID, accuracy: Double, timeout: TimeSpan)
  /// Delivers the samples that the targets hold.
  case flush(targets: [DeviceID])
  /// Publishes a named event on the bus.
  case emit(String)
  /// Sends a message to a client.
  case tell(client: ClientID, text: String)
  /// Launches a client.
  case launch(ClientID)
  /// Reports the violation of a requirement, with the text of the requirement.
  case violation(String)
}

/// Starts transfer tasks, as in `start net for "mail"`. Clients have created these tasks, but have not
/// resumed them.
public struct TransferStart: Hashable, Sendable {
  /// The client whose sessions are affected; nil for all clients.
  public var client: ClientID?
  /// The affected session; nil for all sessions of the client.
  public var session: String?
  /// Whether discretionary tasks begin at once instead of at a time that the system chooses: `discretionary
  /// off`.
  public var isAtOnce: Bool

  /// Makes a start of transfer tasks.
  public init(client: ClientID? = nil, session: String? = nil, isAtOnce: Bool = false) {
    self.client = client
    self.session = session
    self.isAtOnce = isAtOnce
  }

  /// Returns whether the session `name` of the client `owner` is affected.
  public func reaches(_ name: String, of owner: ClientID) -> Bool {
    (client == nil || client == owner) && (session == nil || session == name)
  }

  /// The words after the name of the radio in the policy's `start` directive.
  public var words: String {
    let settings = [session.map { "session \"\($0)\"" }, isAtOnce ? "discretionary off" : nil].compactMap(
      \.self)
    return (client.map { " for \"\($0)\"" } ?? "")
      + (settings.isEmpty ? "" : " with { \(settings.joined(separator: "  ")) }")
  }
}
