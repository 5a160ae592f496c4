import StintModel
import StintUnits

/// An effect of a rule on a device, with the conditions under which the effect occurs. The rule belongs to
/// one of the two compared sets of policies.
struct DifferenceItem {
  /// A condition of an effect: the condition must be true when `isWanted` is true, and must not be true
  /// otherwise.
  struct Term: Hashable {
    /// The condition without source positions, so that it can be compared with other conditions.
    var condition: CheckedExpression
    var isWanted: Bool
  }

  /// The identity of an item: equal for two items with equal effects and conditions.
  struct Key: Hashable {
    var effect: DeviceEffect
    var terms: [Term]
  }

  var key: Key
  var rule: RuleID
  /// The conditions of the effect as claims for the solver.
  var claims: [Claim]
}

/// The policies of one side of a comparison, before or after, with their items by device.
struct DifferenceSide {
  private let ruleTable: RuleTable
  private let solverContext: SolverContext
  /// The prefix that distinguishes the policy names of this side from those of the other side.
  private let mark: String
  /// The state changes of each rule.
  private let moves: [RuleID: [StateTransition]]

  init(_ policies: [CheckedPolicy], mark: String, solverContext: SolverContext) {
    ruleTable = RuleTable(policies, vocabulary: solverContext.vocabulary)
    self.solverContext = solverContext
    self.mark = mark
    moves = Dictionary(grouping: policies.flatMap(\.moves), by: \.rule)
  }

  /// Returns the schedules of policies, by policy name with the prefix of the side.
  static func schedules(_ policies: [CheckedPolicy], mark: String) -> [String: [CheckedSchedule]] {
    Dictionary(
      policies.map { (mark + $0.name, $0.schedules) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the effects on the device. If `device` is nil, returns the effects that concern no device.
  func items(on device: DeviceID?) -> [DifferenceItem] {
    var items: [DifferenceItem] = []
    for (number, rule) in ruleTable.rules.enumerated() {
      if let device {
        for directive in rule.directives where directive.directive.targets.contains(device) {
          let until = directive.until.map { solverContext.unplaced($0, of: mark + rule.id.policy) }
          let winners =
            directive.directive.limits
            ? ruleTable.overriders(of: number, on: device).map { ruleTable.rules[$0] } : []
          items.append(item(DeviceEffect(directive, of: rule, until: until), rule, winners))
        }
      }
      for act in rule.acts where act.devices.contains(device) {
        items.append(item(DeviceEffect(act, of: rule), rule, []))
      }
      if device == nil {
        for move in moves[rule.id] ?? [] {
          items.append(item(DeviceEffect(machine: move.machine, to: word(of: move)), rule, []))
        }
      }
    }
    return items
  }

  private func word(of move: StateTransition) -> String {
    solverContext.vocabulary.schema(move.machine)?.text(of: .symbol(move.target)) ?? "another state"
  }

  private func item(
    _ effect: DeviceEffect, _ rule: CheckedRule, _ winners: [CheckedRule]
  ) -> DifferenceItem {
    var claims = [marked(.inForce(rule))]
    for winner in winners {
      // When a `when` or `every` rule overrides, only its condition counts, not the time for which its
      // directives stay in force.
      claims.append(
        marked(Claim(condition: winner.trigger.condition, policy: winner.id.policy, mode: .fails)))
    }
    let terms = claims.enumerated().compactMap { number, claim -> DifferenceItem.Term? in
      let condition = claim.condition.map { solverContext.unplaced($0, of: claim.policy) }
      guard let condition else { return number == 0 ? nil : Self.never }
      return DifferenceItem.Term(condition: condition, isWanted: number == 0)
    }
    return DifferenceItem(key: .init(effect: effect, terms: terms), rule: rule.id, claims: claims)
  }

  /// The term of an item that an always active rule overrides. This term is never satisfied.
  private static let never = DifferenceItem.Term(
    condition: CheckedExpression(
      kind: .constant(.boolean(true)), type: .boolean, span: SourceSpan(start: 0, end: 0)), isWanted: false)

  private func marked(_ claim: Claim) -> Claim {
    Claim(condition: claim.condition, policy: mark + claim.policy, mode: claim.mode)
  }
}

extension Act {
  /// The devices that the act concerns; a single nil when it concerns no device.
  fileprivate var devices: [DeviceID?] {
    switch self {
    case .fix(let target, _, _): [target]
    case .flush(let targets): targets
    case .emit, .tell, .launch, .violation: [nil]
    }
  }
}
