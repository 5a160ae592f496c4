public import StintModel

/// Every name in a policy with what it means: for moving about in a policy, describing and renaming.
///
/// Works on any tree, one with mistakes too; names that mean nothing are `unknown`.
public struct SymbolIndex: Hashable, Sendable {
  /// In the order of the text; of two declarations of one name both.
  public let definitions: [SymbolDefinition]
  /// In the order of the text; they do not overlap.
  public let mentions: [Mention]

  /// Collects the names of a file.
  public init(_ file: PolicyFile, vocabulary: Vocabulary) {
    var collector = SymbolCollector(vocabulary: vocabulary, policy: file.name?.text ?? "")
    for item in file.items { collector.declare(item) }
    for item in file.items { collector.collect(item) }
    definitions = collector.definitions
    mentions = collector.mentions.sorted { $0.span.start < $1.span.start }
  }

  /// The mention that holds an offset, or ends there.
  public func mention(at offset: Int) -> Mention? {
    var low = 0
    var high = mentions.count
    while low < high {
      let middle = (low + high) / 2
      if mentions[middle].span.start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, mentions[low - 1].span.end >= offset else { return nil }
    // Between a short name and the rest of a path stands a dot, so at most one mention ends here.
    return mentions[low - 1]
  }

  /// Where a symbol is declared, first of all.
  public func definition(of symbol: Symbol) -> SymbolDefinition? {
    definitions.first { $0.symbol == symbol }
  }

  /// All mentions with this meaning, in the order of the text.
  public func mentions(of meaning: Mention.Meaning) -> [Mention] {
    mentions.filter { $0.meaning == meaning }
  }
}
