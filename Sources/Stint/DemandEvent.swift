import StintModel
public import StintServices

/// An event of a demand. `Batches.events` returns all of them in order.
public enum DemandEvent: Sendable {
  /// Samples that a device delivered.
  case batch(ReadingBatch)
  /// The status of the demand changed. The first event is the status at the start.
  case status(DemandStatus)
  /// This number of samples was dropped since the last event, because the client read too slowly.
  case lost(samples: Int)
}

/// Whether a demand is served, and the rules that limit it. Rules have names such as `hiking/still`.
///
/// The client of a service receives this status as a notice when a demand of the service is no longer
/// served, is served again, or is limited by other rules than before.
public enum DemandStatus: ServiceNotice, Hashable {
  /// A device serves the demand, within the limits of these rules.
  case served(by: String, rules: [String])
  /// These rules pause the demand. It continues when they end.
  case paused(rules: [String])
  /// These rules stop the demand. It continues when they end.
  case stopped(rules: [String])
  /// These rules defer the demand until their condition or deadline.
  case deferred(rules: [String])
  /// The client is in the background, and the demand was raised without `background: true`.
  case background
  /// No device can serve the demand, for this reason.
  case unavailable(reason: String)

  /// True when samples can arrive.
  public var isServed: Bool { if case .served = self { true } else { false } }

  /// Whether a service reports this status after `former`, which is nil for the first status of a device. A
  /// service may choose between several devices, so it does not report that another device serves it.
  func isNews(after former: DemandStatus?) -> Bool {
    guard case .served(_, let rules) = self else { return former != self }
    guard case .served(_, let formerRules)? = former else { return former != nil || !rules.isEmpty }
    return rules != formerRules
  }

  init(_ grant: Grant, reason: @autoclosure () -> String) {
    let rules = grant.rules.map(\.description)
    switch grant.status {
    case .served: self = .served(by: grant.provider?.path ?? "", rules: rules)
    case .paused: self = .paused(rules: rules)
    case .stopped: self = .stopped(rules: rules)
    case .deferred: self = .deferred(rules: rules)
    case .background: self = .background
    case .unavailable: self = .unavailable(reason: reason())
    }
  }
}
