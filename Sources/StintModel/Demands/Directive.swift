public import StintUnits

/// What a rule wants of devices while it is in force.
public struct Directive: Hashable, Sendable {
  /// The verb with what it needs.
  public enum Action: Hashable, Sendable {
    /// Raises a demand on behalf of a client; of the policy itself when the client is nil.
    case start(client: ClientID?, wants: DemandSettings)
    case stop
    case pause
    /// No finer than this 95 % radius in metres.
    case coarsen(accuracy: Double)
    /// No faster than one sample each period.
    case slow(period: TimeSpan)
    /// Keep samples or transfers together until the first bound.
    case batch([HoldBound])
    /// Let no transfer go, at most this long after it was raised. The machine ends it when its `until` comes
    /// true.
    case postpone(deadline: TimeSpan?)
    /// Has a service run, on the target where it is watched on one.
    case serve(ServiceWord)
    /// Stops all demands of this service on the targets, for every client and rule.
    case bar(ServiceWord)
    /// Lets tasks of transfers over the targets begin.
    case resume(TransferStart)
  }

  public var rule: RuleID
  public var action: Action
  /// The devices it reaches, sorted; `all` is spelled out.
  public var targets: [DeviceID]
  /// Clients that `except` leaves alone, sorted.
  public var exceptions: [ClientID]

  /// Makes a directive.
  public init(rule: RuleID, action: Action, targets: [DeviceID], exceptions: [ClientID] = []) {
    self.rule = rule
    self.action = action
    self.targets = targets
    self.exceptions = exceptions
  }
}

/// What an edge rule does once.
public enum Act: Hashable, Sendable {
  /// One position at least this good (metres), or a failure after `timeout`.
  case fix(target: DeviceID, accuracy: Double, timeout: TimeSpan)
  /// Hand over what the targets hold.
  case flush(targets: [DeviceID])
  /// Publish a named event on the bus.
  case emit(String)
  /// Send a client a text.
  case tell(client: ClientID, text: String)
  /// Start a client.
  case launch(ClientID)
  /// A requirement was broken; its text.
  case violation(String)
}

/// Whose tasks of transfers a rule lets begin that were made and not resumed: `start net for "mail"`.
public struct TransferStart: Hashable, Sendable {
  /// The client whose sessions it is about; everybody's where it is nil.
  public var client: ClientID?
  /// The session that it is about; all of the client's where it is nil.
  public var session: String?
  /// Whether they wait for no good moment although they are discretionary: `discretionary off`.
  public var isAtOnce: Bool

  /// Lets tasks begin.
  public init(client: ClientID? = nil, session: String? = nil, isAtOnce: Bool = false) {
    self.client = client
    self.session = session
    self.isAtOnce = isAtOnce
  }

  /// Whether a session of a client is meant.
  public func reaches(_ name: String, of owner: ClientID) -> Bool {
    (client == nil || client == owner) && (session == nil || session == name)
  }

  /// As policies write it, behind the radio.
  public var words: String {
    let settings = [session.map { "session \"\($0)\"" }, isAtOnce ? "discretionary off" : nil].compactMap(
      \.self)
    return (client.map { " for \"\($0)\"" } ?? "")
      + (settings.isEmpty ? "" : " with { \(settings.joined(separator: "  ")) }")
  }
}
