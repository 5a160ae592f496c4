public import StintLanguage
public import StintMachine
public import StintModel
import StintUnits

/// Turns checked policies into an image: one for all that are loaded together.
public enum Compiler {
  /// The image of the policies, in their order. The verifier has the last word on it.
  ///
  /// - Precondition: the policies were checked against this vocabulary.
  ///
  /// Rules that each demand is asked are only listed, so that their places and those of their directives are known.
  public static func compile(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> Image {
    compile(policies, vocabulary: vocabulary, forDemands: false)
  }

  /// The image of the rules that each demand is asked, in their order; nil when there are none.
  ///
  /// - Precondition: the policies were checked against this vocabulary.
  public static func compileForDemands(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> Image? {
    guard policies.contains(where: { $0.rules.contains { $0.isPerDemand } }) else { return nil }
    return compile(policies, vocabulary: vocabulary, forDemands: true)
  }

  private static func compile(
    _ policies: [CheckedPolicy], vocabulary: Vocabulary, forDemands: Bool
  ) -> Image {
    let vocabulary = vocabulary.computing(policies.flatMap(\.computed))
    var builder = ImageBuilder(vocabulary: vocabulary, maxAges: maxAges(policies))
    var firstSchedules: [String: Int] = [:]
    for policy in policies {
      let firstSchedule = builder.image.schedules.count
      firstSchedules[policy.name] = firstSchedule
      builder.image.schedules += policy.schedules.map(schedule)
      for rule in policy.rules where !forDemands || rule.isPerDemand {
        builder.add(rule, firstSchedule: firstSchedule, isListed: rule.isPerDemand && !forDemands)
      }
    }
    // Who puts whom aside is asked of the rules of all.
    guard !forDemands else { return builder.image.packed }
    for policy in policies {
      let firstSchedule = firstSchedules[policy.name] ?? 0
      for rule in policy.requirements.compactMap(monitor) { builder.add(rule, firstSchedule: firstSchedule) }
    }
    builder.link(policies.flatMap(\.rules))
    return builder.image.packed
  }

  /// A requirement that may be broken becomes a rule that tells each time it is.
  private static func monitor(_ requirement: CheckedRequirement) -> CheckedRule? {
    guard requirement.isWatched else { return nil }
    let broken = CheckedExpression(
      kind: .not(requirement.condition), type: .boolean, span: requirement.condition.span)
    return CheckedRule(
      id: requirement.id, note: requirement.text, span: requirement.span,
      trigger: .when(broken, atMost: nil), acts: [.violation(requirement.text)])
  }

  /// The shortest `max_age` that any policy sets for the facts of a device.
  private static func maxAges(_ policies: [CheckedPolicy]) -> [DeviceID: TimeSpan] {
    var ages: [DeviceID: TimeSpan] = [:]
    for defaults in policies.flatMap(\.defaults) {
      guard let age = defaults.maxAge else { continue }
      ages[defaults.device] = min(ages[defaults.device] ?? age, age)
    }
    return ages
  }

  private static func schedule(_ schedule: CheckedSchedule) -> ImageSchedule {
    ImageSchedule(
      windows: schedule.windows.map { window in
        let days = (0..<7).map { window.days.isEmpty || window.days.contains($0) }
        return ImageSchedule.Window(days: days, from: window.from, to: window.to)
      })
  }
}
