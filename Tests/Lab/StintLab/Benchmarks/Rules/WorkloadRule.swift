import StintModel

/// A rule of a workload for one device. Of the matching rules, the rule with the highest priority wins.
struct WorkloadRule: Hashable, Sendable {
  indirect enum Condition: Hashable, Sendable {
    case and([Condition])
    case or([Condition])
    /// Compares a field, by its index, with a number. Boolean values are 1 and 0; a word is its index among
    /// the field's words.
    case compare(Int, Comparison, Double)

    func holds(of vector: [Double]) -> Bool {
      switch self {
      case .and(let parts): parts.allSatisfy { $0.holds(of: vector) }
      case .or(let parts): parts.contains { $0.holds(of: vector) }
      case .compare(let field, let comparison, let limit): comparison.holds(vector[field], limit)
      }
    }
  }

  var id: Int64
  var device: Int
  var priority: Int
  var condition: Condition
}
