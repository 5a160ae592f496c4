/// Finds the known name that is most similar to a misspelled name.
package enum Spelling {
  /// Returns the candidate with the smallest edit distance to `name`, ignoring case; of several such
  /// candidates, the first one. Returns nil when every distance is above the limit: one, or a third of the
  /// length of `name` if that is more. Also returns nil when `name` has more than 64 characters.
  package static func nearest(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= 64 else { return nil }
    let limit = max(1, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let distance = distance(wanted, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.name
  }

  /// Returns a remedy for an unknown name: the most similar name, otherwise a list of the known names. If no
  /// name is known, the remedy is to remove the unknown name.
  package static func advice(for name: String, among candidates: [String]) -> String {
    if let near = nearest(to: name, among: candidates) { return "did you mean “\(near)”?" }
    return candidates.isEmpty ? "remove it" : "known here: \(candidates.joined(separator: ", "))"
  }

  /// Returns the edit distance of two strings: insertions, deletions, replacements and swaps of neighbours.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var cost = min(above[column] + (same ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = above
      above = current
    }
    return above[right.count]
  }
}
