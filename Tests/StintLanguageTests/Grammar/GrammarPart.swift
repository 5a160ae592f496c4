/// The right side of a production, or a part of it.
indirect enum GrammarPart: Hashable, Sendable {
  /// Stands for itself.
  case literal(String)
  /// A sort of token, in capitals.
  case lexical(String)
  case production(String)
  case sequence([GrammarPart])
  case choice([GrammarPart])
  case optional(GrammarPart)
  case repetition(GrammarPart)

  /// Everything without parts of its own, in the order of the text.
  var leaves: [GrammarPart] {
    switch self {
    case .literal, .lexical, .production: [self]
    case .sequence(let parts), .choice(let parts): parts.flatMap(\.leaves)
    case .optional(let part), .repetition(let part): part.leaves
    }
  }
}
