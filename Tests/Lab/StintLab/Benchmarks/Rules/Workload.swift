import StintFormats
import StintModel

/// The input of a rule benchmark: rules that read fields, vectors of field values, and a trace. A vector has
/// a value for each field. Each vector of the trace changes a few fields.
///
/// The decision for a device is the highest priority of its matching rules; 0 when no rule matches.
struct Workload: Sendable {
  struct Field: Hashable, Sendable {
    var name: String
    var type: FactType
  }

  var fields: [Field]
  var rules: [WorkloadRule]
  var vectors: [[Double]]
  var trace: [[Double]]

  /// The number of devices in the whole workload, even when a prefix of its rules uses fewer.
  var deviceCount: Int

  func prefix(_ count: Int) -> Workload {
    var part = self
    part.rules = Array(rules.prefix(count))
    return part
  }

  /// Returns the winning priority of each device.
  func decisions(of vector: [Double]) -> [Int] {
    var winners = Array(repeating: 0, count: deviceCount)
    for rule in rules where rule.priority > winners[rule.device] && rule.condition.holds(of: vector) {
      winners[rule.device] = rule.priority
    }
    return winners
  }

  /// Returns the fields that differ from the previous vector of the trace; all fields for the first vector.
  func changes(at step: Int) -> [Int] {
    fields.indices.filter { step == 0 || trace[step][$0] != trace[step - 1][$0] }
  }

  /// The rules as policy text, sorted by device, then by descending priority.
  ///
  /// A rule with a higher priority limits the device to a lower rate, and the lowest rate wins, so the
  /// granted rate identifies the winning rule. Rules beyond the limit of one check are split into
  /// several policies.
  var policyTexts: [String] {
    let ordered = ordered
    return stride(from: 0, to: ordered.count, by: Self.maxTogether).map { first in
      let end = min(first + Self.maxTogether, ordered.count)
      return policyText(ordered[first..<end], number: first / Self.maxTogether)
    }
  }

  /// The maximum number of rules in one check.
  private static let maxTogether = 4000

  private func policyText(_ rules: ArraySlice<WorkloadRule>, number: Int) -> String {
    var text = "policy \"bench\(number == 0 ? "" : "-\(number)")\" version 1\n\n"
    for device in 0..<deviceCount { text += "use \(Self.device(device)) as d\(device)\n" }
    for rule in rules {
      text += "\nrule r\(rule.id) while \(self.text(of: rule.condition)) {\n"
      text += "  downgrade d\(rule.device) to \(Self.fastest + 1 - rule.priority) Hz\n}\n"
    }
    return text
  }

  /// The rules in the order of the policy text.
  var ordered: [WorkloadRule] {
    rules.sorted { ($0.device, $1.priority, $0.id) < ($1.device, $0.priority, $1.id) }
  }

  /// The highest rate that a rule can set, in hertz. It is also the highest priority of a rule.
  static let fastest = 20_000
  static func device(_ number: Int) -> String { "bench.d\(number)" }
  static func fact(_ field: Field) -> String { "bench.\(field.name)" }

  private func text(of condition: WorkloadRule.Condition) -> String {
    switch condition {
    case .and(let parts): return parts.map { "(\(text(of: $0)))" }.joined(separator: " and ")
    case .or(let parts): return parts.map { "(\(text(of: $0)))" }.joined(separator: " or ")
    case .compare(let field, let comparison, let limit):
      let fact = Self.fact(fields[field])
      switch fields[field].type {
      case .boolean: return (comparison == .equal) == (limit == 1) ? fact : "not \(fact)"
      case .symbol(let words):
        return comparison == .equal
          ? "\(fact) is \(words[Int(limit)])" : "not (\(fact) is \(words[Int(limit)]))"
      case .quantity: return "\(fact) \(comparison.rawValue) \(limit)"
      }
    }
  }
}
