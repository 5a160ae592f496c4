import StintTestSupport

/// Writes random sentences of a grammar. The writer ends deep or long sentences soon.
struct SentenceWriter {
  private let grammar: GrammarFile
  private var random: SeededGenerator
  private var text = ""
  private var depth = 0
  private var braces = 0

  init(_ grammar: GrammarFile, seed: UInt64) {
    self.grammar = grammar
    random = SeededGenerator(seed: seed)
  }

  mutating func sentence(_ production: String) -> String {
    text = ""
    write(.production(production))
    return text
  }

  private mutating func write(_ part: GrammarPart) {
    switch part {
    case .literal(let literal): separate(literal)
    case .lexical(let sort): lexical(sort)
    case .production(let name):
      depth += 1
      if let part = grammar.productions[name] { write(part) }
      depth -= 1
    case .sequence(let parts):
      for part in parts { write(part) }
    case .choice(let parts): write(isLong ? shortest(parts) : random.pick(parts))
    case .optional(let part):
      if random.once(in: isLong ? 50 : 2) { write(part) }
    case .repetition(let part):
      for _ in 0..<(isLong ? 0 : Int.random(in: 0...2, using: &random)) { write(part) }
    }
  }

  private var isLong: Bool { depth > 24 || text.utf8.count > 800 }

  /// Returns an alternative that ends the sentence soon. This is the first alternative without productions,
  /// or the last alternative when all have productions.
  private func shortest(_ parts: [GrammarPart]) -> GrammarPart {
    let plain = parts.first { part in
      part.leaves.allSatisfy { leaf in
        if case .production = leaf { return false }
        return true
      }
    }
    return plain ?? parts[parts.count - 1]
  }

  private mutating func separate(_ word: String) {
    let isItem = GrammarFile.itemWords.contains(word)
    if word == "{" { braces += 1 }
    if word == "}" { braces -= 1 }
    // Inside braces, an item word in the first column would begin a new item.
    text +=
      text.isEmpty
      ? "" : isItem ? (braces == 0 ? "\n" : " ") : random.pick([" ", " ", "  ", "\n", " # why\n"])
    text += word
  }

  private mutating func lexical(_ sort: String) {
    switch sort {
    case "NAME": separate(random.pick(["gps", "moving", "a_1", "x"]))
    case "FACT": separate(random.pick(["battery", "moving", "deadline", "per", "last"]))
    case "VALUE": text += " " + random.pick(["hold", "limit"])
    case "SPAN": text += " " + random.pick(["hold", "pause_time"])
    case "WORD": separate(random.pick(["still", "one", "in"]))
    case "LIST": separate(random.pick(["night", "work", "in"]))
    case "NONZERO": separate(random.pick(Self.numbers))
    case "NUMBER": separate(random.pick(Self.numbers))
    case "INT": separate("3")
    case "PART": text += " " + random.pick(Self.numbers)
    case "COUNT": separate(random.pick(Self.numbers) + "\n")
    case "CLOCK": separate(random.pick(["22:30", "06:00", "24:00"]))
    case "STRING": separate(random.pick(["\"a\"", "\"\"", "\"say \\\"a\\\" # b\""]))
    case "RULE": separate(random.pick(["pack", "other-policy/pack", "a/b-2"]))
    default: unit(sort)
    }
  }

  private static let numbers = ["3", "0.5", "60"]

  private mutating func unit(_ sort: String) {
    let isBehindNumber = text.last?.isNumber == true
    text += isBehindNumber && random.once(in: 2) ? "" : " "
    text += random.pick(grammar.lists[sort] ?? [""])
  }
}
