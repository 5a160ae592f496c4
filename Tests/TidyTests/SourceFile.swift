/// A Swift file as tokens of its code. Comments are stored separately, and the contents of strings are
/// skipped.
struct SourceFile: Sendable {
  /// A word or a single sign, with its line number.
  struct Token: Sendable, Hashable {
    let text: String
    let line: Int
    /// True when no character is between this token and the previous token.
    var touches = false
  }

  let path: String
  let code: [Token]
  /// The words of comments.
  let prose: [Token]
  let lineCount: Int
  /// For each word or sign: its indexes in `code`, in order. A search then visits only a few indexes.
  private let places: [String: [Int]]

  init(path: String, bytes: [UInt8]) {
    var cutter = SourceCutter(bytes: bytes)
    cutter.run()
    self.path = path
    self.code = cutter.code
    var places: [String: [Int]] = [:]
    for (place, token) in cutter.code.enumerated() { places[token.text, default: []].append(place) }
    self.places = places
    self.prose = cutter.prose
    self.lineCount = cutter.line - (bytes.last == UInt8(ascii: "\n") ? 1 : 0)
  }

  /// The module: the folder under Sources, Tests or Tests/Lab. For a plugin it is the folder under Plugins
  /// with the prefix `Stint`.
  var module: String {
    let parts = path.split(separator: "/")
    guard parts.count > 2 else { return "" }
    if path.hasPrefix("Tests/Lab/") { return String(parts[2]) }
    return parts[0] == "Plugins" ? "Stint\(parts[1])" : String(parts[1])
  }

  /// True for modules of the products and of the test equipment, false for tests.
  var isSource: Bool {
    path.hasPrefix("Sources/") || path.hasPrefix("Tests/Lab/")
      || (path.hasPrefix("Plugins/") && path.contains("/Sources/"))
  }

  /// Returns the lines on which a sequence of tokens begins. Sequences after a token in `before`
  /// are left out. With `touching`, no gaps between the tokens are allowed.
  func lines(of sequence: [String], notAfter before: Set<String> = [], touching: Bool = false) -> [Int] {
    (sequence.first.flatMap { places[$0] } ?? []).filter { start in
      guard start + sequence.count <= code.count else { return false }
      let matches = sequence.indices.allSatisfy { place in
        let token = code[start + place]
        return token.text == sequence[place] && (place == 0 || !touching || token.touches)
      }
      guard matches else { return false }
      return start == 0 || !before.contains(code[start - 1].text)
    }.map { code[$0].line }
  }

  /// The modules that the file imports, each with its line.
  var imports: [Token] {
    code.indices.dropLast().filter { code[$0].text == "import" }.compactMap { place in
      let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let named = kinds.contains(code[place + 1].text) ? place + 2 : place + 1
      return code.indices.contains(named) ? code[named] : nil
    }
  }

  /// The names of the types that the file declares, each with its line.
  var declaredTypes: [Token] {
    let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    return code.indices.dropLast().filter { kinds.contains(code[$0].text) }.map { code[$0 + 1] }
  }
}

/// Splits the bytes of a file into tokens, in one pass.
private struct SourceCutter {
  let bytes: [UInt8]
  var code: [SourceFile.Token] = []
  var prose: [SourceFile.Token] = []
  var line = 1
  private var place = 0
  private var lastEnd = -1

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\n"):
        line += 1
        place += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"): place += 1
      case UInt8(ascii: "/") where follows("//"): comment()
      case UInt8(ascii: "\""): string()
      case let byte where Self.isWord(byte):
        let start = place
        add(word(), from: start)
      case let byte:
        place += 1
        add(.init(text: String(UnicodeScalar(byte)), line: line), from: place - 1)
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 128 || byte == UInt8(ascii: "_") || (byte | 32 >= 97 && byte | 32 <= 122)
      || (byte >= 48 && byte <= 57)
  }

  private mutating func add(_ token: SourceFile.Token, from start: Int) {
    code.append(.init(text: token.text, line: token.line, touches: start == lastEnd))
    lastEnd = place
  }

  private func follows(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in bytes[place...].starts(with: wanted) }
  }

  private mutating func word() -> SourceFile.Token {
    let start = place
    while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
    return .init(text: String(decoding: bytes[start..<place], as: UTF8.self), line: line)
  }

  private mutating func comment() {
    while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
      if Self.isWord(bytes[place]) { prose.append(word()) } else { place += 1 }
    }
  }

  /// Skips a string with its interpolations. Strings in interpolations are found by counting parentheses.
  private mutating func string() {
    let isLong = follows("\"\"\"")
    place += isLong ? 3 : 1
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where depth == 0:
        if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "(") { depth = 1 }
        place += 2
      case UInt8(ascii: "(") where depth > 0:
        depth += 1
        place += 1
      case UInt8(ascii: ")") where depth > 0:
        depth -= 1
        place += 1
      case UInt8(ascii: "\"") where depth > 0: string()
      case UInt8(ascii: "\"") where !isLong:
        place += 1
        return
      case UInt8(ascii: "\"") where follows("\"\"\""):
        place += 3
        return
      case UInt8(ascii: "\n"):
        line += 1
        place += 1
        if !isLong { return }
      default: place += 1
      }
    }
  }
}
