public import StintLanguage

/// What a policy file holds, in numbers.
public struct PolicySummary: Hashable, Sendable {
  public var file: String
  /// Nil when the header cannot be read.
  public var name: String?
  public var version: Int?
  public var rules = 0
  public var devices = 0
  public var lets = 0
  public var parameters = 0
  public var schedules = 0

  /// Counts what a file declares.
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

  /// `policies/hiking.stint  version 1   6 rules, 3 devices, 1 parameter`.
  public var text: String {
    let counts = [
      count(rules, "rule"), count(devices, "device"), count(lets, "let"), count(parameters, "parameter"),
      count(schedules, "schedule"),
    ].compactMap { $0 }
    let head = version.map { "\(file)  version \($0)" } ?? file
    return "\(head)   \(counts.isEmpty ? "nothing in it" : counts.joined(separator: ", "))"
  }

  private func count(_ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
