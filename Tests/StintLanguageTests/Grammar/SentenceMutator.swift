import StintTestSupport

@testable import StintLanguage

/// Makes small mistakes in texts, token by token. Some results are still valid in the grammar.
struct SentenceMutator {
  private var random: SeededGenerator
  /// The texts to insert: the words and symbols of the grammar, and examples of other tokens.
  private let pool: [String]

  init(_ grammar: GrammarFile, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    pool =
      grammar.literals.sorted() + [
        "gps", "3", "0.5 s", "5 min", "\"a\"", "22:30", "25:61", "%", "m", "1 per h",
      ]
  }

  mutating func mutated(_ text: String, mistakes: Int) -> String {
    var pieces = Self.pieces(text)
    for _ in 0..<mistakes where pieces.count > 1 { spoil(&pieces) }
    return pieces.joined()
  }

  private mutating func spoil(_ pieces: inout [String]) {
    let place = Int.random(in: 0..<pieces.count - 1, using: &random)
    switch Int.random(in: 0...6, using: &random) {
    case 0: pieces.remove(at: place)
    case 1: pieces.insert(pieces[place], at: place)
    case 2: pieces.swapAt(place, place + 1)
    case 3: pieces[place] = " " + random.pick(pool)
    case 4: pieces.insert(" " + random.pick(pool), at: place)
    case 5: pieces[place] = random.pick([" ", "\n", "\n  ", ""]) + pieces[place].trimmed
    default: pieces[place] = " " + pieces[Int.random(in: 0..<pieces.count, using: &random)].trimmed
    }
  }

  /// Returns the tokens, each with a minimum of white space before the token. Only the tokens in the first
  /// column of the text are in the first column of the result.
  private static func pieces(_ text: String) -> [String] {
    let source = SourceText(file: "f", text: text)
    var lexer = Lexer(source)
    var pieces: [String] = []
    var end = -1
    while true {
      let token = lexer.next()
      if token.kind == .end { return pieces }
      let isInFirstColumn = source.position(of: token.span.start).column == 1
      let space = token.isFirstOnLine ? (isInFirstColumn ? "\n" : "\n ") : token.span.start == end ? "" : " "
      pieces.append(space + source.text(of: token.span))
      end = token.span.end
    }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " || $0 == "\n" }) }
}
