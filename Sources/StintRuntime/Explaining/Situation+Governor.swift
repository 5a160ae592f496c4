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
    let image = machine?.image
    var ages: [Int: TimeSpan] = [:]
    for fact in image?.facts ?? [] { ages[fact.number] = fact.maxAge }
    self.init(
      now: governor.now, timeZone: governor.timeZone, vocabulary: governor.vocabulary,
      schedules: policy.schedules,
      value: { path in
        guard let number = governor.vocabulary.fact(path) else { return .unknown }
        if let demand, let value = governor.clientFact(number, of: demand) { return value }
        let age = ages[number] ?? governor.vocabulary.facts[number].maxAge
        return governor.facts.value(number, at: governor.now, maxAge: age)
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
