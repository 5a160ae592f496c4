import StintModel

/// The facts of some sensors that are read by rules, and the claims under which no rule needs these facts.
struct SensorReaders {
  /// The paths of the facts that are read by rules with a claim in `idle`. These facts are unknown while the
  /// sensors are off.
  let facts: Set<String>
  /// The claims that each of `facts` is unknown, and one claim for each rule that reads these facts. The
  /// claim of a rule is that its condition is false, or that none of its limited devices has a demand.
  ///
  /// There is no claim for a rule without a condition, for a requirement, or for a rule that limits only the
  /// sensors themselves. Even when all claims are true, a position probe for a zone may switch a sensor on.
  let idle: [Claim]

  init(of sensors: [DeviceID], _ rules: [CheckedRule], _ vocabulary: Vocabulary) {
    let published = Set(
      vocabulary.facts.prefix(vocabulary.firstComputed).filter { schema in
        guard let device = schema.device, sensors.contains(device) else { return false }
        return vocabulary.manifest(device)?.isSensed(schema) ?? false
      }.map(\.path))
    let computed = vocabulary.computed.filter { fact in
      fact.sensedInput.map { published.contains($0.path) } ?? false
    }
    let measured = published.union(computed.map(\.schema.path))
    var facts: Set<String> = []
    var idle: [Claim] = []
    for rule in rules {
      let read = rule.readConditions.reduce(into: Set<String>()) { $0.formUnion($1.facts) }
        .intersection(measured)
      let isMove = rule.directives.isEmpty && rule.acts.isEmpty
      guard !read.isEmpty, let condition = rule.trigger.condition,
        let targets = rule.targets(without: sensors, moves: isMove)
      else { continue }
      facts.formUnion(read)
      let isFalse = CheckedExpression.negation(of: condition)
      let undemanded = targets.sorted().map { CheckedExpression.notDemanded($0) }
      let idleConditions = undemanded.isEmpty ? [isFalse] : [isFalse, Self.all(undemanded)]
      let isIdle =
        idleConditions.count == 1
        ? idleConditions[0] : CheckedExpression(kind: .or(idleConditions), type: .boolean, span: .nowhere)
      idle.append(Claim(condition: isIdle, policy: rule.id.policy, mode: .holds))
    }
    idle += facts.sorted().map { path in
      let known = CheckedExpression(kind: .known(path), type: .boolean, span: .nowhere)
      return Claim(condition: .negation(of: known), policy: SolverContext.all, mode: .holds)
    }
    self.facts = facts
    self.idle = idle
  }

  private static func all(_ operands: [CheckedExpression]) -> CheckedExpression {
    operands.count == 1
      ? operands[0] : CheckedExpression(kind: .and(operands), type: .boolean, span: .nowhere)
  }
}

extension CheckedExpression {
  /// Returns the condition that no demand on a device exists.
  static func notDemanded(_ device: DeviceID) -> CheckedExpression {
    .negation(of: CheckedExpression(kind: .demanded(device), type: .boolean, span: .nowhere))
  }
}
