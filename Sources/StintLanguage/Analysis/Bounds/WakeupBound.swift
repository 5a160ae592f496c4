public import StintModel

/// An upper bound on the wake-ups of a device within any one hour.
///
/// A sensor wakes when it is switched on, a radio when it leaves idle. The bound holds for all values of
/// facts. It assumes that devices stay present, that clients keep their demands, and that no demand is
/// interrupted because an app is in the background. Wake-ups that clients cause by raising and releasing
/// demands are not included.
public struct WakeupBound: Hashable, Sendable {
  /// The bound, or the reason for its absence.
  public enum Limit: Hashable, Sendable {
    case atMost(Int)
    /// No bound exists; the string gives the reason.
    case unbounded(because: String)
  }

  /// The assumptions about clients and devices on which every finite bound depends, as text for people. The
  /// governor counts the events that break these assumptions (`DeviceStatus.brokenAssumptions`).
  public static let assumption =
    "clients keep their demands and do not move between foreground and background, and devices stay present"

  /// True when the bound is a number.
  public var isFinite: Bool { if case .atMost = limit { true } else { false } }

  /// The device that the bound applies to.
  public var device: DeviceID
  /// The bound, or the reason for its absence.
  public var limit: Limit

  /// Returns the bounds of two kinds of devices, sorted by device. These are devices that rules affect, and
  /// sensors that are switched on because rules read their facts.
  public static func all(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [WakeupBound] {
    let search = WakeupSearch(policies, vocabulary: vocabulary)
    let rules = policies.flatMap(\.rules).filter { !$0.isInert }
    let reached = rules.flatMap { rule in
      rule.directives.flatMap(\.directive.targets) + rule.acts.flatMap(\.targets)
    }
    return Set(reached + search.sensed).sorted().map { search.bound(of: $0) }
  }

  /// Returns the bound of one device, whether or not rules affect it.
  public static func of(
    _ device: DeviceID, in policies: [CheckedPolicy], vocabulary: Vocabulary
  ) -> WakeupBound {
    WakeupSearch(policies, vocabulary: vocabulary).bound(of: device)
  }
}

extension Act {
  /// The devices that the act affects; empty for an act that affects no device.
  var targets: [DeviceID] {
    switch self {
    case .fix(let target, _, _): [target]
    case .flush(let targets): targets
    default: []
    }
  }
}
