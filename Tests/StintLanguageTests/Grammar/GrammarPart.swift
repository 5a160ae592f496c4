/// The right side of a production, or a part of it.
indirect enum GrammarPart: Hashable, Sendable {
  /// A token with exactly this text.
  case literal(String)
  /// A kind of token, in capitals.
  case lexical(String)
  case production(String)
  case sequence([GrammarPart])
  case choice([GrammarPart])
  case optional(GrammarPart)
  case repetition(GrammarPart)

  /// The parts that contain no other part, in source order.
  var leaves: [GrammarPart] {
    switch self {
    case .literal, .lexical, .production: [self]
    case .sequence(let parts), .choice(let parts): parts.flatMap(\.leaves)
    case .optional(let part), .repetition(let part): part.leaves
    }
  }
}
