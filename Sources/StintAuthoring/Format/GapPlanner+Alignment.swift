import StintLanguage

extension GapPlanner {
  /// The maximum width, in characters, of the text before an aligned token. When the text of one item is
  /// wider, no item of its group is aligned.
  private static let widest = 40

  /// Aligns neighbouring items of one kind: the `as` of `use`, the `=` of other items.
  mutating func align(_ items: [PolicyItem]) {
    var group: [PolicyItem] = []
    for item in items {
      if let last = group.last, !isNeighbour(item, of: last) {
        alignGroup(group)
        group = []
      }
      group.append(item)
    }
    alignGroup(group)
  }

  /// Returns true when two items have the same kind, and no empty line and no comment line separates them.
  private func isNeighbour(_ item: PolicyItem, of previous: PolicyItem) -> Bool {
    switch (previous, item) {
    case (.use, .use), (.let, .let), (.parameter, .parameter), (.schedule, .schedule), (.zone, .zone): break
    default: return false
    }
    let between = source.bytes[previous.span.end..<max(previous.span.end, item.span.start)]
    return between.count { $0 == 0x0A } <= 1
  }

  private mutating func alignGroup(_ items: [PolicyItem]) {
    guard items.count > 1 else { return }
    let heads = items.compactMap { item in
      pivot(of: item).flatMap { pivot in
        tokenIndex(at: item.span.start).map { (pivot: pivot, width: width(of: $0..<pivot)) }
      }
    }
    guard let widest = heads.map(\.width).max(), widest <= Self.widest else { return }
    for head in heads { gaps[head.pivot] = .spaces(widest - head.width + 1) }
  }

  /// Returns the index of the token that is aligned; nil when the item has no such token.
  private func pivot(of item: PolicyItem) -> Int? {
    switch item {
    case .use(let item): tokenIndex(at: item.alias.span.start).map { $0 - 1 }
    case .let(let item): tokenIndex(at: item.name.span.start).map { $0 + 1 }
    case .parameter(let item): tokenIndex(at: item.name.span.start).map { $0 + 1 }
    case .schedule(let item): tokenIndex(at: item.name.span.start).map { $0 + 1 }
    case .zone(let item): tokenIndex(at: item.name.span.start).map { $0 + 1 }
    case .default, .rule, .machine, .budget, .require, .test: nil
    }
  }

  private func width(of range: Range<Int>) -> Int {
    range.reduce(0) { sum, index in
      let text = source.text(of: tokens[index].span).count
      if index > range.lowerBound, case .spaces(let count) = gaps[index] { return sum + count + text }
      return sum + text
    }
  }
}
