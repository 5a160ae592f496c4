public import StintLanguage
public import StintModel

/// The names of a policy with their meanings, for navigation, hover and renaming in editors.
///
/// The index accepts trees with syntax errors. Unresolved names are `unknown`.
public struct SymbolIndex: Hashable, Sendable {
  /// The declarations in order of position; two declarations of one name are both included.
  public let definitions: [SymbolDefinition]
  /// The mentions in order of position; they do not overlap.
  public let mentions: [Mention]

  /// Collects the names of a file. The vocabulary contains the known facts and devices.
  public init(_ file: PolicyFile, vocabulary: Vocabulary) {
    var collector = SymbolCollector(vocabulary: vocabulary, policy: file.name?.text ?? "")
    for item in file.items { collector.declare(item) }
    for item in file.items { collector.collect(item) }
    definitions = collector.definitions
    mentions = collector.mentions.sorted { $0.span.start < $1.span.start }
  }

  /// Returns the mention that contains an offset or ends at it; nil when there is no such mention.
  public func mention(at offset: Int) -> Mention? {
    var low = 0
    var high = mentions.count
    while low < high {
      let middle = (low + high) / 2
      if mentions[middle].span.start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0, mentions[low - 1].span.end >= offset else { return nil }
    // Two mentions are never adjacent: even in `gps.speed`, a dot separates the short name `gps` from the
    // rest of the path. So no other mention contains the offset or ends at it.
    return mentions[low - 1]
  }

  /// Returns the first declaration of a symbol; nil when the policy does not declare it.
  public func definition(of symbol: Symbol) -> SymbolDefinition? {
    definitions.first { $0.symbol == symbol }
  }

  /// Returns all mentions of an entity, in order of position.
  public func mentions(of meaning: Mention.Meaning) -> [Mention] {
    mentions.filter { $0.meaning == meaning }
  }
}
