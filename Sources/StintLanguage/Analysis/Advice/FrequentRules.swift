import StintModel
import StintUnits

/// Warns about `every` rules whose period is shorter than one second. The processor wakes once per period.
enum FrequentRules {
  /// The shortest period without a finding.
  private static let shortestPeriod = TimeSpan.seconds(1)

  static func findings(_ policies: [CheckedPolicy]) -> [Finding] {
    policies.flatMap { policy in
      policy.rules.filter { !$0.isInert }.compactMap { rule in
        guard case .every(let period, _, _) = rule.trigger, period > .zero, period < shortestPeriod else {
          return nil
        }
        return finding(rule, period, policy)
      }
    }
  }

  private static func finding(_ rule: CheckedRule, _ period: TimeSpan, _ policy: CheckedPolicy) -> Finding {
    let perSecond = TimeSpan.seconds(1).nanoseconds / period.nanoseconds
    let often = perSecond == 1 ? "more than once" : "\(perSecond) times"
    let perDay = TimeSpan.hours(24).nanoseconds / period.nanoseconds
    return Finding(
      Diagnostic(
        .frequentRule, "“\(rule.id.rule)” wakes the processor \(often) per second",
        severity: .warning, file: policy.file,
        labels: [
          Diagnostic.Label(span: rule.span, text: "every \(period) is \(perDay) wake-ups per day")
        ],
        hint: "give a longer period, or the condition that the rule waits for, as in: when screen.on"))
  }
}
