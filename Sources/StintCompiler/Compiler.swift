public import StintLanguage
public import StintMachine
public import StintModel
import StintUnits

/// Compiles checked policies to one image of all policies that are loaded together.
public enum Compiler {
  /// Returns the image of the policies, in their order. `ImageVerifier` must verify the image before the
  /// image runs.
  ///
  /// - Precondition: the policies were checked against this vocabulary.
  ///
  /// Per-demand rules are only listed, without code, so that they and their directives have indices.
  public static func compile(_ policies: [CheckedPolicy], vocabulary: Vocabulary) -> Image {
    compile(policies, vocabulary: vocabulary, forDemands: false)
  }

  /// Returns the image of the per-demand rules, in their order; nil when there are no such rules.
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
    // An override can link a per-demand rule to a rule that is not per-demand. So only the image that lists
    // all rules contains overrides.
    guard !forDemands else { return builder.image.packed }
    for policy in policies {
      let firstSchedule = firstSchedules[policy.name] ?? 0
      for rule in policy.requirements.compactMap(monitor) { builder.add(rule, firstSchedule: firstSchedule) }
    }
    builder.link(policies.flatMap(\.rules))
    return builder.image.packed
  }

  /// Returns a rule that reports each violation of a requirement; nil for a requirement that is proved
  /// without assumptions.
  private static func monitor(_ requirement: CheckedRequirement) -> CheckedRule? {
    guard requirement.isWatched else { return nil }
    let broken = CheckedExpression(
      kind: .not(requirement.condition), type: .boolean, span: requirement.condition.span)
    return CheckedRule(
      id: requirement.id, note: requirement.text, span: requirement.span,
      trigger: .when(broken, atMost: nil), acts: [.violation(requirement.text)])
  }

  /// Returns the shortest `max_age` over all policies for the facts of each device.
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
