package import StintGovernor
package import StintLanguage
import StintModel

/// The answer of `why` and `why-not` to a name that is neither a device nor a rule.
package struct UnknownTarget: Hashable, Sendable {
  /// The error without the name itself: `this is a policy; expected a device or a rule`.
  package let cause: String
  /// The possible names.
  package let remedy: String

  /// - Parameter hasRules: true when a rule is also possible.
  package init(_ thing: String, _ governor: Governor, _ policies: [CheckedPolicy], hasRules: Bool) {
    let devices = governor.vocabulary.manifests.filter { $0.kind != .source || !hasRules }
      .map(\.device.path).joined(separator: ", ")
    let rules = policies.flatMap(\.rules).map(\.id)
    let own = rules.filter { $0.policy == thing }.map(\.description).joined(separator: ", ")
    guard hasRules, !rules.isEmpty else {
      cause =
        policies.contains { $0.name == thing }
        ? "this is a policy; expected a device" : "there is no such device"
      remedy = "the devices are \(devices)"
      return
    }
    if policies.contains(where: { $0.name == thing }) {
      cause = "this is a policy; expected a device or a rule"
      remedy = (own.isEmpty ? "it has no rules" : "its rules are \(own)") + "; the devices are \(devices)"
    } else if thing.contains("/") {
      cause = "there is no such rule"
      remedy = "the rules are \(rules.map(\.description).joined(separator: ", "))"
    } else {
      cause = "there is no such device"
      remedy = "the devices are \(devices)"
    }
  }
}
