import StintMachine
import StintModel

/// Migrates the demands that rules raise.
extension Governor {
  /// Ends the demands of rules that the new rules no longer raise, and raises the demands that are missing.
  /// All other demands continue.
  mutating func reconcileStarts(_ prepared: PreparedProgram) {
    var wanted: [(number: Int, directive: Directive, target: DeviceID)] = []
    for number in prepared.starts where rules.inForce[number] {
      let directive = prepared.program.image.image.directives[number].directive
      wanted += directive.targets.map { (number, directive, $0) }
    }
    // When a rule raises several equal demands, the existing demands and the wanted demands are paired in
    // order.
    let raised = demands.all.filter { $0.directiveIndex != nil }
      .sorted { ($0.directiveIndex ?? 0, $0.demand.id) < ($1.directiveIndex ?? 0, $1.demand.id) }
    for record in raised {
      if let place = wanted.firstIndex(where: {
        $0.directive == record.raisedBy && $0.target == record.demand.target
      }) {
        demands.mark(
          record.demand.id, raisedBy: record.raisedBy, at: wanted.remove(at: place).number)
      } else {
        release(record.demand.id)
      }
    }
    for (number, directive, target) in wanted {
      guard case .start(let client, let wants) = directive.action else { continue }
      start(
        target, for: client ?? ClientID(directive.rule.policy), wants: wants, by: directive,
        at: number)
    }
  }
}
