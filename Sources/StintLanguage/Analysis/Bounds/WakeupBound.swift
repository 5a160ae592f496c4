public import StintModel

/// How often a device wakes at most within an hour, wherever the hour begins.
///
/// A sensor wakes when it is switched on, a radio when it leaves idle. The bound holds whatever facts say, for
/// devices that stay there and clients that keep their demands and are served in the background too: what a client
/// raises and releases is its own doing.
public struct WakeupBound: Hashable, Sendable {
  /// What is known.
  public enum Limit: Hashable, Sendable {
    case atMost(Int)
    /// Nothing bounds it, because of what the text says.
    case unbounded(because: String)
  }

  public var device: DeviceID
  public var limit: Limit

  /// The bounds of every device that the policies' rules reach, or have work to read its facts; sorted by device.
  public static func all(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> [WakeupBound] {
    let search = WakeupSearch(policies, vocabulary: vocabulary)
    let directives = policies.flatMap(\.rules).filter { !$0.isInert }
    let reached = directives.flatMap { rule in
      rule.directives.flatMap(\.directive.targets) + rule.acts.flatMap(\.targets)
    }
    return Set(reached + search.sensed).sorted().map { search.bound(of: $0) }
  }

  /// The bound of one device, whether or not rules reach it.
  public static func of(
    _ device: DeviceID, in policies: [CheckedPolicy], vocabulary: Vocabulary
  ) -> WakeupBound {
    WakeupSearch(policies, vocabulary: vocabulary).bound(of: device)
  }
}

extension Act {
  /// The devices that it reaches.
  var targets: [DeviceID] {
    switch self {
    case .fix(let target, _, _): [target]
    case .flush(let targets): targets
    default: []
    }
  }
}
