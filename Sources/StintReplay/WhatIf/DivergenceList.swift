import StintRuntime
import StintUnits

/// The differences between two decision tables, collected instant by instant.
struct DivergenceList {
  private(set) var found: [DecisionDivergence] = []
  /// By subject: the divergence that has not ended.
  private var open: [String: (place: Int, old: String?, new: String?)] = [:]

  /// Compares the tables after all decisions of an instant.
  mutating func compare(_ old: DecisionTable, _ new: DecisionTable, at instant: Instant) {
    for subject in old.touched.union(new.touched).sorted() {
      let (was, would) = (old.active[subject], new.active[subject])
      if let divergence = open[subject] {
        if divergence.old == was?.key, divergence.new == would?.key { continue }
        found[divergence.place].until = instant
        open[subject] = nil
      }
      guard was?.key != would?.key else { continue }
      open[subject] = (found.count, was?.key, would?.key)
      append(subject, was?.side, would?.side, at: instant)
    }
    for subject in Set(old.once.keys).union(new.once.keys).sorted() {
      let (was, would) = (old.once[subject] ?? [], new.once[subject] ?? [])
      for place in 0..<max(was.count, would.count) {
        let left = was.indices.contains(place) ? was[place] : nil
        let right = would.indices.contains(place) ? would[place] : nil
        if left?.key != right?.key { append(subject, left?.side, right?.side, at: instant) }
      }
    }
  }

  private mutating func append(
    _ subject: String, _ was: DecisionDivergence.Side?, _ would: DecisionDivergence.Side?, at instant: Instant
  ) {
    let none = DecisionDivergence.Side(decision: nil, cause: nil)
    found.append(
      DecisionDivergence(instant: instant, until: nil, subject: subject, old: was ?? none, new: would ?? none)
    )
  }

  /// Ends the comparison. In divergences that have not ended, `until` stays nil.
  mutating func finish() { open.removeAll() }
}
