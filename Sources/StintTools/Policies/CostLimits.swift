import StintCompiler
import StintLanguage
import StintMachine
import StintModel

/// Upper limits for the combined cost of policies; nil means no limit.
public struct CostLimits: Hashable, Sendable {
  /// The maximum number of instructions in the worst step: an evaluation in which all facts change.
  public var instructions: Int?
  /// The maximum number of state slots.
  public var slots: Int?

  /// Creates limits; nil means no limit.
  public init(instructions: Int? = nil, slots: Int? = nil) {
    self.instructions = instructions
    self.slots = slots
  }

  /// Returns a diagnostic for each exceeded limit, at the rule with the highest cost. A rule that reads
  /// `client.*` is evaluated once per demand; the cost of one such evaluation is counted.
  func excesses(of policies: [CheckedPolicy], compiledTo image: Image, _ perDemandImage: Image?)
    -> [Diagnostic]
  {
    var all = ImageCost(of: image, forDemands: perDemandImage)
    all.worstStep += all.worstStepPerDemand
    all.stateSlots += all.stateSlotsPerDemand
    let images = [image] + [perDemandImage].compactMap { $0 }
    var found: [Diagnostic] = []
    if let instructions, all.worstStep > instructions {
      found += excess(
        "an evaluation in which all facts change takes \(all.worstStep) instructions, and the limit is \(instructions)",
        policies
      ) { rule in
        let cost =
          images.flatMap { image in
            image.rules.filter { $0.id == rule }.map { ImageCost.maxEvaluationCost(at: $0, in: image) }
          }.max() ?? 0
        return (cost, "\(cost) of them")
      }
    }
    if let slots, all.stateSlots > slots {
      found += excess("the policies keep \(all.stateSlots) state slots, and the limit is \(slots)", policies)
      {
        rule in
        let cost = images.flatMap(\.slots).count { $0.key.rule == rule }
        return (cost, "\(cost) of them")
      }
    }
    return found
  }

  private func excess(
    _ title: String, _ policies: [CheckedPolicy], _ cost: (RuleID) -> (Int, String)
  ) -> [Diagnostic] {
    let rules = policies.flatMap { policy in policy.rules.map { (rule: $0, file: policy.file) } }
    guard let mostExpensive = rules.max(by: { cost($0.rule.id).0 < cost($1.rule.id).0 }) else { return [] }
    let label = Diagnostic.Label(span: mostExpensive.rule.span, text: cost(mostExpensive.rule.id).1)
    return [
      Diagnostic(
        .tooCostly, title, file: mostExpensive.file, labels: [label],
        hint: "make “\(mostExpensive.rule.id.rule)” simpler, or raise the limit")
    ]
  }
}
