import StintTestSupport

@testable import StintLanguage

/// Makes small mistakes in texts, token by token; now and then what comes out is a sentence again.
struct SentenceSpoiler {
  private var random: SeededGenerator
  /// What may be put in: the words and symbols of the grammar and a token of each sort.
  private let pool: [String]

  init(_ grammar: GrammarFile, seed: UInt64) {
    random = SeededGenerator(seed: seed)
    pool =
      grammar.literals.sorted() + [
        "gps", "3", "0.5 s", "5 min", "\"a\"", "22:30", "25:61", "%", "m", "1 per h",
      ]
  }

  /// The text with some mistakes.
  mutating func spoiled(_ text: String, mistakes: Int) -> String {
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

  /// The tokens with the space before them, as narrow as may be: what begins a line begins it in the first column
  /// only if it did.
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
