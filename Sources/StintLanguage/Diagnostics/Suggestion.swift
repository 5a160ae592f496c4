/// Finds the known word that resembles a misspelt word.
public enum Suggestion {
  /// Returns the candidate with the smallest edit distance to a word, ignoring case. Nil when no candidate is
  /// near enough or two are equally near.
  public static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let near = allNearest(to: word, in: candidates)
    return near.count == 1 ? near[0] : nil
  }

  /// Returns all candidates with the smallest edit distance to a word, ignoring case. They are sorted, and do
  /// not include the word itself. The distance must be at most one, or a third of the length of the word if
  /// that is more. Empty when no candidate is near enough, or when the word has more than 64 bytes.
  static func allNearest(to word: String, in candidates: some Sequence<String>) -> [String] {
    // A longer word is not a misspelling, and its comparison would take too long.
    guard word.utf8.count <= 64 else { return [] }
    var limit = max(1, word.count / 3)
    var best: [String] = []
    for candidate in Set(candidates).sorted() where candidate != word {
      let distance = distance(Array(word.lowercased()), Array(candidate.lowercased()), limit: limit)
      if distance > limit { continue }
      if distance < limit || best.isEmpty { best = [] }
      limit = distance
      best.append(candidate)
    }
    return best
  }

  /// Returns whether each part of a dotted name resembles the corresponding part of a misspelt name. Returns
  /// true when the names have different numbers of parts. A name with another device is never a safe
  /// replacement: `place.accuracy` is not `coarse.accuracy`.
  static func isNearInEachPart(_ candidate: String, to word: String) -> Bool {
    let (parts, others) = (word.split(separator: "."), candidate.split(separator: "."))
    guard parts.count == others.count else { return true }
    return zip(parts, others).allSatisfy { $0 == $1 || nearest(to: String($0), in: [String($1)]) != nil }
  }

  /// Returns whether each part of a dotted name is equal or near to the same part of the candidate.
  static func isMisspelling(_ word: String, of candidate: String) -> Bool {
    word.split(separator: ".").count == candidate.split(separator: ".").count
      && isNearInEachPart(candidate, to: word)
  }

  /// Returns the edit distance: the number of characters changed, inserted, deleted or swapped with their
  /// neighbour. Returns `Int.max` when the lengths differ by more than the limit.
  private static func distance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
    guard abs(left.count - right.count) <= limit else { return .max }
    var before: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var cost = min(
          previous[column + 1] + 1, current[column] + 1,
          previous[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, before[column - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[right.count]
  }
}
