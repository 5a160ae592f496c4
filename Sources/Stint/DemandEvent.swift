import StintDaemon
import StintModel
public import StintServices
import StintUnits

/// An event of a demand. `Batches.events` returns all of them in order.
public enum DemandEvent: Sendable {
  /// Samples that a device delivered.
  case batch(ReadingBatch)
  /// The status of the demand. The first event of a demand is a status; each further status is a change.
  case status(DemandStatus)
  /// This number of samples was dropped since the last event, because the client read too slowly.
  case lost(samples: Int)
}

/// Whether a demand is served, and the rules that limit it. Rules have names such as `hiking/still`.
///
/// The client of a service receives this status as a notice when a demand of the service is no longer served,
/// or is served again. It also receives the status when the limiting rules, or the end of their limits,
/// change.
public enum DemandStatus: ServiceNotice, Hashable {
  /// A device serves the demand, within the limits of these rules.
  case served(by: String, rules: [String], until: Duration? = nil)
  /// This device serves the demand, but has had a fault since its last valid sample. The reason is the text
  /// of the fault. The status changes with the next valid sample, and when the device reports its state.
  case faulty(device: String, reason: String)
  /// These rules pause the demand. The demand continues when the rules end.
  case paused(rules: [String], until: Duration? = nil)
  /// These rules stop the demand. The demand continues when the rules end.
  case stopped(rules: [String], until: Duration? = nil)
  /// These rules defer the demand until their condition is true or their deadline is reached.
  case deferred(rules: [String], until: Duration? = nil)
  /// The client is in the background, and the demand was raised without `background: true`.
  case background
  /// No device can serve the demand, for this reason.
  case unavailable(reason: String, until: Duration? = nil)

  /// True when a device without a fault serves the demand.
  public var isServed: Bool { if case .served = self { true } else { false } }

  /// The time of the bus, since 1970-01-01T00:00:00Z, at which the reason for this status ends if no fact
  /// changes.
  ///
  /// For a status with rules, this is the end of the rule that ends last: the end of a `for`, the end of a
  /// schedule, or a deadline. Other rules may end earlier. For an unavailable device, it is the next start of
  /// its plugin's process. The bus determines the value when the status begins. Nil when
  ///
  /// - no rule limits the demand, the device has a fault, or the client is in the background;
  /// - the end of a rule depends on a fact, such as the charge of the battery, or its directive has no end;
  /// - no start of a process is planned: the device has failed without a process of its own, its plugin is
  ///   quarantined, or its process has not ended yet.
  public var until: Duration? {
    switch self {
    case .served(_, _, let until), .paused(_, let until), .stopped(_, let until), .deferred(_, let until),
      .unavailable(_, let until):
      until
    case .background, .faulty: nil
    }
  }

  /// Whether a service reports this status after `former`, which is nil for the first status of a device. A
  /// service may choose between several devices. So a change that concerns only the serving device is not
  /// reported.
  func isNews(after former: DemandStatus?) -> Bool {
    guard case .served(_, let rules, let until) = self else { return former != self }
    guard case .served(_, let formerRules, let formerUntil)? = former else {
      return former != nil || !rules.isEmpty
    }
    return rules != formerRules || until != formerUntil
  }

  init(_ state: DemandState) {
    let grant = state.grant
    if let fault = state.fault, let provider = grant.provider {
      self = .faulty(device: provider.path, reason: fault)
      return
    }
    let rules = grant.rules.map(\.description)
    let until = state.until.map { Duration.nanoseconds($0.nanoseconds) }
    switch grant.status {
    case .served: self = .served(by: grant.provider?.path ?? "", rules: rules, until: until)
    case .paused: self = .paused(rules: rules, until: until)
    case .stopped: self = .stopped(rules: rules, until: until)
    case .deferred: self = .deferred(rules: rules, until: until)
    case .background: self = .background
    case .unavailable: self = .unavailable(reason: state.reason ?? "", until: until)
    }
  }
}
