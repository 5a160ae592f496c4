import StintModel
import StintUnits

/// What all that is in force comes to on a device: equal where no demand could tell the difference.
public struct DeviceDecision: Hashable, Sendable {
  /// Each once, in the order of their texts.
  public let effects: [DeviceEffect]

  /// Leaves away what others already save.
  public init(_ effects: [DeviceEffect]) {
    var limits: [DeviceEffect] = []
    var others: Set<DeviceEffect> = []
    for effect in Set(effects) {
      if effect.limit == nil { others.insert(effect) } else { limits.append(effect) }
    }
    limits = Self.joinedStops(limits)
    // Of two that save alike, the one whose text comes first stays.
    limits.sort { $0.text < $1.text }
    var kept: [DeviceEffect] = []
    for (number, effect) in limits.enumerated() {
      let isNeedless = limits.enumerated().contains { other, candidate in
        other != number && candidate.saves(asMuchAs: effect)
          && (!effect.saves(asMuchAs: candidate) || other < number)
      }
      if !isNeedless { kept.append(effect) }
    }
    self.effects = (kept + others).sorted { $0.text < $1.text }
  }

  /// As a policy would say it; “as asked” for nothing.
  public var text: String {
    effects.isEmpty ? "as asked" : effects.map(\.text).joined(separator: "; ")
  }

  /// Two stops with exceptions leave alone only those whom both do.
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
  /// What it limits for as long as it is in force, without an end of its own; nil for anything else.
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
