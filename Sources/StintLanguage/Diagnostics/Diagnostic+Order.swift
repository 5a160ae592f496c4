extension [Diagnostic] {
  /// Returns the array sorted by file in the given order, then by the first label. The sort is stable.
  public func inOrder(of files: [String]) -> [Diagnostic] {
    let fileIndexes = Dictionary(
      files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func sortKey(_ diagnostic: Diagnostic) -> (Int, Int) {
      (fileIndexes[diagnostic.file] ?? files.count, diagnostic.labels.first?.span.start ?? 0)
    }
    return enumerated().sorted { left, right in
      let (before, after) = (sortKey(left.element), sortKey(right.element))
      return before == after ? left.offset < right.offset : before < after
    }.map(\.element)
  }
}
