/// Finds the name that somebody most likely meant.
enum Nearest {
  /// The closest of the names; nil when none is close. Of equally close ones the first.
  static func name(to word: String, among names: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let ranked = names.map { (name: $0, distance: distance(from: word, to: $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
    return best.name
  }

  /// How many letters must be put in, left out, replaced or swapped with their neighbour.
  static func distance(from first: String, to second: String) -> Int {
    let first = Array(first)
    let second = Array(second)
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for row in first.indices {
      var next = [row + 1]
      for column in second.indices {
        let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, next[column] + 1)
        let isSwap =
          row > 0 && column > 0 && first[row] == second[column - 1] && first[row - 1] == second[column]
        if isSwap { best = min(best, beforeLast[column - 1] + 1) }
        next.append(best)
      }
      beforeLast = last
      last = next
    }
    return last[second.count]
  }
}
