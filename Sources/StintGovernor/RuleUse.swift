import StintMachine
public import StintModel
public import StintUnits

/// How much a rule has been at work.
public struct RuleUse: Hashable, Sendable {
  /// How often it came to hold, or acted.
  public internal(set) var count = 0
  /// How long it has held in all.
  public internal(set) var total = TimeSpan.zero
  /// Since when it holds; nil when it does not.
  public internal(set) var since: Instant?
}

extension Governor {
  /// How much every rule has been at work up to `instant`, those that never were included.
  public func ruleUse(at instant: Instant) -> [RuleID: RuleUse] {
    var use = ruleUse
    for rule in program?.image.image.rules ?? [] where use[rule.id] == nil { use[rule.id] = RuleUse() }
    for (rule, entry) in use {
      guard let since = entry.since else { continue }
      use[rule]?.total += max(instant, now) - since
      use[rule]?.since = max(instant, now)
    }
    return use
  }

  mutating func note(_ rule: RuleID, holds: Bool) {
    var use = ruleUse[rule] ?? RuleUse()
    if holds {
      use.count += 1
      use.since = now
    } else if let since = use.since {
      use.total += now - since
      use.since = nil
    }
    ruleUse[rule] = use
  }

  /// The energy spent up to `instant`, open intervals included.
  public func spent(at instant: Instant) -> Energy {
    var sum = energy.ledger.total
    for (number, device) in devices.enumerated() {
      sum += energy.open(number, device.power, until: max(instant, now))
    }
    return sum
  }
}
