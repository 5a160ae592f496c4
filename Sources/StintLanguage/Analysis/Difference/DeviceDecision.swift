import StintModel
import StintUnits

/// The combined effect of all active rules on a device. Two decisions are equal when they treat every demand
/// equally.
public struct DeviceDecision: Hashable, Sendable {
  /// The effects, each once, sorted by `text`.
  public let effects: [DeviceEffect]

  /// Creates a decision from effects. Effects that save no more than another effect are left out.
  public init(_ effects: [DeviceEffect]) {
    var limits: [DeviceEffect] = []
    var others: Set<DeviceEffect> = []
    for effect in Set(effects) {
      if effect.limit == nil { others.insert(effect) } else { limits.append(effect) }
    }
    limits = Self.joinedStops(limits)
    // Of two effects that save equally much, the first by `text` is kept.
    limits.sort { $0.text < $1.text }
    var kept: [DeviceEffect] = []
    for (number, effect) in limits.enumerated() {
      let isRedundant = limits.enumerated().contains { other, candidate in
        other != number && candidate.saves(asMuchAs: effect)
          && (!effect.saves(asMuchAs: candidate) || other < number)
      }
      if !isRedundant { kept.append(effect) }
    }
    self.effects = (kept + others).sorted { $0.text < $1.text }
  }

  /// The effects in the words of a policy; “as requested” when there is no effect.
  public var text: String {
    effects.isEmpty ? "as requested" : effects.map(\.text).joined(separator: "; ")
  }

  /// Merges all stops into one stop. Its exceptions are the clients that every stop exempts.
  private static func joinedStops(_ limits: [DeviceEffect]) -> [DeviceEffect] {
    var rest: [DeviceEffect] = []
    var stop: DeviceEffect?
    var exceptions: Set<ClientID> = []
    for effect in limits {
      guard case .directive(.stop, let spared, _, _) = effect.kind else {
        rest.append(effect)
        continue
      }
      if stop == nil { exceptions = Set(spared) } else { exceptions.formIntersection(spared) }
      stop = effect
    }
    guard var stop else { return rest }
    stop.kind = .directive(.stop, exceptions: exceptions.sorted(), until: nil, nil)
    return rest + [stop]
  }
}

extension DeviceEffect {
  /// The effect as a limit that applies for as long as the rule's condition is true.
  ///
  /// Nil for a start, for an effect with an `until` or a duration, and for an effect of a `when` or `every`
  /// rule.
  fileprivate var limit: Directive? {
    guard timing == .level, case .directive(let action, let exceptions, nil, nil) = kind else { return nil }
    if case .start = action { return nil }
    return Directive(rule: .asAsked, action: action, targets: [], exceptions: exceptions)
  }

  fileprivate func saves(asMuchAs other: DeviceEffect) -> Bool {
    guard let limit, let less = other.limit else { return false }
    return limit.saves(asMuchAs: less)
  }
}
