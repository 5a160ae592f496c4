import StintModel

/// A rule of a workload: for one device, at one priority; of those that match, the highest wins.
struct WorkloadRule: Hashable, Sendable {
  /// When it matches.
  indirect enum Condition: Hashable, Sendable {
    case and([Condition])
    case or([Condition])
    /// A field by its place, compared with a number; truths are 1 and 0, words their place among the field's words.
    case compare(Int, Comparison, Double)

    /// Whether it holds of a vector; no short cut is taken that could hide a mistake.
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
