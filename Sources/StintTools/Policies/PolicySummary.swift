public import StintLanguage
import StintUnits

/// The numbers of rules, devices, definitions, parameters and schedules in a policy file.
public struct PolicySummary: Hashable, Sendable {
  /// The path of the file.
  public var file: String
  /// The policy's name; nil when the header cannot be parsed.
  public var name: String?
  /// The policy's version; nil when the header has no valid version.
  public var version: Int?
  /// The number of rules.
  public var rules = 0
  /// The number of `use` declarations.
  public var devices = 0
  /// The number of `let` definitions.
  public var lets = 0
  /// The number of parameters.
  public var parameters = 0
  /// The number of schedules.
  public var schedules = 0

  /// Counts the rules, devices, definitions, parameters and schedules of a parsed file.
  public init(file: String, of policy: PolicyFile) {
    self.file = file
    name = policy.name?.text
    version = policy.version.flatMap { Int(exactly: $0.value) }
    for item in policy.items {
      switch item {
      case .use: devices += 1
      case .let: lets += 1
      case .parameter: parameters += 1
      case .schedule: schedules += 1
      case .rule: rules += 1
      case .default, .zone, .machine, .budget, .require, .test: continue
      }
    }
  }

  /// The summary as one line: `policies/hiking.stint  version 1   6 rules, 3 devices, 1 parameter`.
  public var text: String {
    let counts = [
      count(rules, "rule"), count(devices, "device"), count(lets, "let"), count(parameters, "parameter"),
      count(schedules, "schedule"),
    ].compactMap { $0 }
    let file = VisibleText.line(file)
    let head = version.map { "\(file)  version \($0)" } ?? file
    return "\(head)   \(counts.isEmpty ? "empty" : counts.joined(separator: ", "))"
  }

  private func count(_ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
