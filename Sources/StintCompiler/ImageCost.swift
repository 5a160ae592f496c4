public import StintMachine
public import StintModel

/// What an image costs to run, before it runs: bounds that no step exceeds.
public struct ImageCost: Hashable, Sendable {
  /// Instructions of a step in which everything changes at once.
  public var worstStep: Int
  /// Pieces of state that its expressions own; none is ever added.
  public var stateSlots: Int

  /// What each demand that is asked rules of its own adds to both.
  public var worstStepPerDemand = 0
  public var stateSlotsPerDemand = 0

  /// The cost of all rules, or of those that `isCounted` names.
  public init(of image: Image, where isCounted: (RuleID) -> Bool = { _ in true }) {
    worstStep = 0
    stateSlots = image.slots.count { isCounted($0.key.rule) }
    for rule in image.rules where isCounted(rule.id) {
      worstStep += Self.maxEvaluationCost(at: rule, in: image)
    }
  }

  /// The cost of all rules, and the cost that each demand adds through the per-demand rules in `own`.
  public init(of image: Image, forDemands own: Image?, where isCounted: (RuleID) -> Bool = { _ in true }) {
    self.init(of: image, where: isCounted)
    guard let own else { return }
    let each = ImageCost(of: own, where: isCounted)
    worstStepPerDemand = each.worstStep
    stateSlotsPerDemand = each.stateSlots
  }

  /// Instructions of one look at a rule.
  ///
  /// A rule is looked at once a step at most. A level rule asks each `until` once; an edge rule that fires asks it
  /// before a run begins, and again because it may end at once.
  public static func maxEvaluationCost(at rule: ImageRule, in image: Image) -> Int {
    guard !rule.isInert else { return 0 }
    let asked = rule.trigger == .level ? 1 : 2
    return rule.directives.reduce(rule.code.count) { $0 + asked * image.directives[$1].until.count }
  }
}
