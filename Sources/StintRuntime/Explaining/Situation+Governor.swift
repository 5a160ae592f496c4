import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

extension Situation {
  /// Captures the current situation of a governor for a rule of one of its policies. For a rule that is
  /// evaluated once per demand, `demand` selects the demand.
  init(_ governor: Governor, _ policy: CheckedPolicy, _ rule: RuleID, asking demand: DemandID? = nil) {
    let machine = demand.map { governor.machine(asking: $0) } ?? governor.machine
    let values = PresentValues(governor, machine)
    self.init(
      now: governor.now, timeZone: governor.timeZone, vocabulary: governor.vocabulary,
      schedules: policy.schedules,
      value: { path in
        guard let number = governor.vocabulary.fact(path) else { return .unknown }
        if let demand, let value = governor.clientFact(number, of: demand) { return value }
        return values[number]
      },
      published: { path in
        guard let number = governor.vocabulary.fact(path), governor.facts.value(number) != .unknown else {
          return nil
        }
        return governor.facts.instant(number)
      },
      end: { path in governor.vocabulary.fact(path).flatMap { governor.end(of: $0) } },
      isDemanded: { device in !(governor.status(of: device)?.demands.isEmpty ?? true) },
      memory: { expression in
        guard let machine,
          let slot = machine.image.slot(of: rule, at: expression.span.start..<expression.span.end)
        else { return Memory() }
        return Memory(
          since: machine.since(slot: slot), isClosed: machine.isClosed(slot: slot),
          statistic: machine.statistic(slot: slot))
      })
  }
}

/// The values of facts as conditions read them: a value that has reached its maximum age is unknown.
struct PresentValues {
  private let governor: Governor
  /// The maximum ages that policies set, by the index of the fact.
  private var ages: [Int: TimeSpan] = [:]

  /// - Parameter machine: the rule VM with the maximum ages; nil for the one that evaluates shared rules.
  init(_ governor: Governor, _ machine: RuleVM? = nil) {
    self.governor = governor
    for fact in (machine ?? governor.machine)?.image.facts ?? [] { ages[fact.number] = fact.maxAge }
  }

  subscript(number: Int) -> FactValue {
    let age = ages[number] ?? governor.vocabulary.facts[number].maxAge
    return governor.facts.value(number, at: governor.now, maxAge: age)
  }

  subscript(path: String) -> FactValue { governor.vocabulary.fact(path).map { self[$0] } ?? .unknown }
}
