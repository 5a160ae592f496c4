extension [Diagnostic] {
  /// Returns the array sorted by file in the given order, then by the first label. The sort is stable.
  public func inOrder(of files: [String]) -> [Diagnostic] {
    let numbers = Dictionary(
      files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func place(_ diagnostic: Diagnostic) -> (Int, Int) {
      (numbers[diagnostic.file] ?? files.count, diagnostic.labels.first?.span.start ?? 0)
    }
    return enumerated().sorted { left, right in
      let (before, after) = (place(left.element), place(right.element))
      return before == after ? left.offset < right.offset : before < after
    }.map(\.element)
  }
}
