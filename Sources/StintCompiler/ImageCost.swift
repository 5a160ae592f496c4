public import StintMachine
public import StintModel

/// The cost of running an image, computed in advance: upper bounds for one evaluation of all rules.
public struct ImageCost: Hashable, Sendable {
  /// The maximum number of instructions of a step, that is, an evaluation in which all facts change at once.
  public var worstStep: Int
  /// The number of state slots of the image; it is constant while the image runs.
  public var stateSlots: Int

  /// The number of instructions that each demand with per-demand rules adds to the worst step.
  public var worstStepPerDemand = 0
  /// The number of state slots that each demand with per-demand rules adds.
  public var stateSlotsPerDemand = 0

  /// Computes the cost of all rules, or only of the rules for which `isCounted` returns true.
  public init(of image: Image, where isCounted: (RuleID) -> Bool = { _ in true }) {
    worstStep = 0
    stateSlots = image.slots.count { isCounted($0.key.rule) }
    for rule in image.rules where isCounted(rule.id) {
      worstStep += Self.maxEvaluationCost(at: rule, in: image)
    }
  }

  /// Computes the cost of all rules, and the cost that each demand adds through the per-demand rules in
  /// `demandImage`.
  public init(
    of image: Image, forDemands demandImage: Image?, where isCounted: (RuleID) -> Bool = { _ in true }
  ) {
    self.init(of: image, where: isCounted)
    guard let demandImage else { return }
    let each = ImageCost(of: demandImage, where: isCounted)
    worstStepPerDemand = each.worstStep
    stateSlotsPerDemand = each.stateSlots
  }

  /// Returns the maximum number of instructions that one evaluation of a rule executes; 0 for an inert rule.
  ///
  /// A step evaluates a rule at most once. A `while` or `always` rule evaluates each `until` once. A `when`
  /// or `every` rule that fires evaluates each `until` twice. The first evaluation precedes the beginning of
  /// the directive. The second is necessary because the directive may end at the same instant.
  public static func maxEvaluationCost(at rule: ImageRule, in image: Image) -> Int {
    guard !rule.isInert else { return 0 }
    let evaluations = rule.trigger == .level ? 1 : 2
    return rule.directives.reduce(rule.code.count) { $0 + evaluations * image.directives[$1].until.count }
  }
}
