import Testing

@Suite("Texts use plain words")
struct WordTests {
  /// Words and phrases that are not used, each with its replacement.
  private static let unused: [(phrase: String, instead: String)] = [
    ("whoever", "name the client, the caller, the reader or the process"),
    ("whomever", "name the client, the caller, the reader or the process"),
    ("somebody", "name the client, the rule, the user or the thread"),
    ("nobody", "no client, no rule, no reader; or what is missing"),
    ("anew", "again; or restart, rebuild, recompile"),
    ("so many", "the given number of; or name the parameter"),
    ("is told", "gets, receives, is reported"),
    ("are told", "get, receive, are reported"),
    ("is due", "is expected; of a timer: expires"),
    ("are due", "are expected; of timers: expire"),
    ("the same,", "name the thing again"),
  ]

  /// Folders and files that contain some of the words, each with the reason.
  private static let exceptions: [(path: String, reason: String)] = [
    ("Sources/StintGovernor/DecisionText.swift", "writes a word of the decision log"),
    (
      "Tests/Lab/StintTestSupport/Differential/PolicyReference+Grants.swift",
      "compares a word of the decision log"
    ),
  ]

  @Test("sources, plugins, policies, README and ARCHITECTURE do not contain the listed words")
  func unusedWords() {
    for path in Self.paths where !Self.exceptions.contains(where: { path.hasPrefix($0.path) }) {
      for (line, phrase) in Self.findings(in: SourceTree.bytes(of: path)) {
        let instead = Self.unused.first { $0.phrase == phrase }?.instead ?? ""
        Issue.record("\(path):\(line): “\(phrase)”; write instead: \(instead)")
      }
    }
  }

  @Test("each exception names an existing file or folder")
  func exceptionsExist() {
    for exception in Self.exceptions {
      #expect(Self.paths.contains { $0.hasPrefix(exception.path) }, "\(exception.path): \(exception.reason)")
    }
  }

  @Test("the search finds words in any case and across the lines of a comment, and ignores parts of names")
  func searchFindsPhrases() {
    func found(_ text: String) -> [String] {
      Self.findings(in: Array(text.utf8)).map { "\($0.line) \($0.phrase)" }
    }
    #expect(found("a\n/// Nobody reads it.") == ["2 nobody"])
    #expect(found("  /// The device is\n  /// told its state.") == ["1 is told"])
    #expect(found("\"it waits for so many \\\n   bytes\"") == ["1 so many"])
    #expect(found("/// The same, of all samples.") == ["1 the same,"])
    #expect(found("let nobodyWaits = isTold; this told; the same then, manual due").isEmpty)
  }

  /// Every file that is searched, relative to the root of the repository.
  private static let paths: [String] =
    ["Sources", "Tests/Lab", "Plugins", "policies"].flatMap { SourceTree.paths(under: $0) } + [
      "README.md", "ARCHITECTURE.md",
    ]

  /// Returns the phrases in a text, each with its first line. A phrase is also found across the lines of a
  /// comment. Other signs between its words exclude a match, except a comma that the phrase requires.
  private static func findings(in bytes: [UInt8]) -> [(line: Int, phrase: String)] {
    let words = words(of: bytes)
    var found: [(Int, String)] = []
    for (phrase, wanted) in wantedWords {
      for start in words.indices where words[start].text == wanted[0] {
        guard start + wanted.count <= words.count else { continue }
        let matches = wanted.indices.allSatisfy { place in
          let word = words[start + place]
          if wanted[place].last == "," { return word.hasComma && word.text + "," == wanted[place] }
          return word.text == wanted[place] && (place + 1 == wanted.count || word.precedesWord)
        }
        if matches { found.append((words[start].line, phrase)) }
      }
    }
    return found.sorted { $0.0 < $1.0 }
  }

  private static let wantedWords: [(phrase: String, words: [String])] = unused.map { entry in
    (entry.phrase, entry.phrase.split(separator: " ").map(String.init))
  }

  private struct Word {
    var text: String
    var line: Int
    var hasComma = false
    /// True when nothing separates this word from the next word. Spaces, a line end, and the marks of a
    /// comment or of a string's continuation do not count.
    var precedesWord = true
  }

  /// Returns the words of a text in lower case: runs of letters, digits and underscores.
  private static func words(of bytes: [UInt8]) -> [Word] {
    var words: [Word] = []
    var text: [UInt8] = []
    var line = 1
    var isNewLine = true
    func end() {
      guard !text.isEmpty else { return }
      words.append(Word(text: String(decoding: text, as: UTF8.self), line: line))
      text = []
    }
    for byte in bytes + [UInt8(ascii: "\n")] {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        text.append(byte | 32)
        isNewLine = false
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        text.append(byte)
        isNewLine = false
      case UInt8(ascii: "\n"):
        end()
        line += 1
        isNewLine = true
      case UInt8(ascii: " "), UInt8(ascii: "\\"): end()
      case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "*"):
        end()
        if !isNewLine { words.indices.last.map { words[$0].precedesWord = false } }
      default:
        end()
        guard let last = words.indices.last else { continue }
        if byte == UInt8(ascii: ","), words[last].precedesWord { words[last].hasComma = true }
        words[last].precedesWord = false
      }
    }
    return words
  }
}
