import StintMachine
import StintModel

/// Demands that rules raise, across reloads.
extension Governor {
  /// A demand belongs to its directive also where the rule has another name now.
  mutating func renameStarts(_ prepared: PreparedProgram) {
    guard let match = prepared.match else { return }
    let image = prepared.program.image.image
    for number in prepared.starts {
      let before = match.directives[number]
      let directive = image.directives[number].directive
      guard before >= 0, case .start(let client, _) = directive.action else { continue }
      for id in demands.keys.sorted() where demands[id]?.raisedAt == before {
        // In another policy's own name it would be another demand.
        guard demands[id]?.demand.client == client ?? ClientID(directive.rule.policy) else { continue }
        demands[id]?.raisedBy = directive
      }
    }
  }

  /// After a reload: what rules started and still start goes on, the rest ends.
  mutating func reconcileStarts(_ prepared: PreparedProgram) {
    var wanted: [(number: Int, directive: Directive, target: DeviceID)] = []
    for number in prepared.starts where rules.inForce[number] {
      let directive = prepared.program.image.image.directives[number].directive
      wanted += directive.targets.map { (number, directive, $0) }
    }
    // A rule may start the same twice: the first goes on as the first.
    let raised = demands.values.filter { $0.raisedAt != nil }
      .sorted { ($0.raisedAt ?? 0, $0.demand.id) < ($1.raisedAt ?? 0, $1.demand.id) }
    for record in raised {
      if let place = wanted.firstIndex(where: {
        $0.directive == record.raisedBy && $0.target == record.demand.target
      }) {
        demands[record.demand.id]?.raisedAt = wanted.remove(at: place).number
      } else {
        release(record.demand.id)
      }
    }
    for (number, directive, target) in wanted {
      guard case .start(let client, let wants) = directive.action else { continue }
      start(target, for: client ?? ClientID(directive.rule.policy), wants: wants, by: directive, at: number)
    }
  }
}
