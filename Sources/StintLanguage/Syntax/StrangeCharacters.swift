/// Describes characters that get into policies by mistake, with their names.
enum StrangeCharacters {
  /// Returns the problem of a sequence of unusable bytes outside strings and comments.
  static func problem(_ bytes: ArraySlice<UInt8>) -> LexicalProblem {
    let text = String(decoding: bytes, as: UTF8.self)
    var problem = LexicalProblem(
      code: .strangeCharacter, title: "this character is not allowed in a policy",
      span: SourceSpan(start: bytes.startIndex, end: bytes.endIndex))
    if let operation = operators[text] {
      problem.title = "“\(text)” is not an operator of this language; write \(operation.name)"
      problem.replacement = operation.replacement
      return problem
    }
    guard let scalar = text.unicodeScalars.first else { return problem }
    describe(scalar, &problem)
    if let whole = replacement(of: text) { problem.replacement = whole }
    return problem
  }

  /// Returns the problem of non-ASCII letters within a name.
  static func letterProblem(_ letters: ArraySlice<UInt8>) -> LexicalProblem {
    let text = String(decoding: letters, as: UTF8.self)
    var problem = LexicalProblem(
      code: .strangeCharacter, title: "", span: SourceSpan(start: letters.startIndex, end: letters.endIndex))
    guard let scalar = text.unicodeScalars.first else { return problem }
    if let latin = replacement(of: text) {
      let letter =
        scalar.value == 0xB5
        ? "the micro sign, which" : "\(article(scalar)) \(alphabet(scalar)) letter that"
      problem.title =
        text.unicodeScalars.count == 1
        ? "“\(text)” (\(number(scalar))) is \(letter) looks like the Latin “\(latin)”"
        : "“\(text)” are \(alphabet(scalar)) letters that look like the Latin “\(latin)”"
      problem.hint = "did you mean “\(latin)”?"
      problem.replacement = latin
    } else {
      let script = script(scalar).map { "is \($0), and " } ?? ""
      problem.title = "“\(scalar)” (\(number(scalar))) \(script)is not allowed in a name"
      problem.hint =
        "names consist of the letters a to z, digits and _; quoted strings may contain any character"
    }
    return problem
  }

  /// Returns the problem of a direction mark within a string or a comment. The mark changes the visible order
  /// of the line.
  static func directionProblem(_ mark: ArraySlice<UInt8>, in what: String) -> LexicalProblem {
    let scalar = String(decoding: mark, as: UTF8.self).unicodeScalars.first ?? " "
    return LexicalProblem(
      code: .strangeCharacter,
      title:
        "\(number(scalar)) in this \(what) changes the direction of writing: the line is not what it looks like",
      span: SourceSpan(start: mark.startIndex, end: mark.endIndex), hint: "remove it", replacement: "")
  }

  /// Returns true when three bytes are a direction embedding, override or isolate of Unicode.
  static func isDirectionMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 3 else { return false }
    let start = bytes.startIndex
    guard bytes[start] == 0xE2 else { return false }
    let last = bytes[start + 2]
    return (bytes[start + 1] == 0x80 && (0xAA...0xAE).contains(last))
      || (bytes[start + 1] == 0x81 && (0xA6...0xA9).contains(last))
  }

  /// Returns true when a non-ASCII character was probably intended as a letter of a name.
  static func isForeignLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 && (scalar.properties.isAlphabetic || latin[scalar] != nil)
  }

  private static let operators: [String: (name: String, replacement: String)] = [
    "&&": ("“and”", "and"), "&": ("“and”", "and"), "||": ("“or”", "or"), "|": ("“or”", "or"),
    "!": ("“not”", "not "),
    "≤": ("<=", "<="), "≥": (">=", ">="), "≠": ("!=", "!="), "×": ("*", "*"), "÷": ("/", "/"),
    "∧": ("“and”", "and"),
    "∨": ("“or”", "or"), "¬": ("“not”", "not "), "…": ("..", ".."),
  ]

  private static func describe(_ scalar: Unicode.Scalar, _ problem: inout LexicalProblem) {
    let number = number(scalar)
    switch scalar.value {
    case 0x0C: problem.title = "the control character \(number)"
    case 0x3B: problem.title = "“;” is not used here: a statement ends where the next one begins"
    case 0x27, 0x60: problem.title = "strings need double quotes, not \(scalar)"
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000:
      problem.title = "the character \(number), which only looks like a space"
    case 0x200B, 0x200C, 0x200D, 0x2060, 0xAD: problem.title = "the invisible character \(number)"
    case 0xFEFF:
      problem.title = "a byte-order mark (\(number)), which belongs at the beginning of a file or nowhere"
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x61C:
      problem.title = "\(number) changes the direction of writing"
    case 0x2010...0x2015, 0x2212:
      problem.title = "“\(scalar)” (\(number)) is a dash; policies use the hyphen -"
    case 0x201C...0x201F, 0x2018...0x201B, 0xAB, 0xBB, 0x2039, 0x203A:
      problem.title = "“\(scalar)” (\(number)) is a typographic quote; policies use \""
    case 0xFF01...0xFF5E:
      problem.title = "“\(scalar)” (\(number)) is a wide character that only looks like a narrow one"
    case 0xFFFD: problem.title = "bytes that are not UTF-8"
    default: problem.title = "policies do not use “\(scalar)” (\(number)) outside strings and comments"
    }
  }

  /// Returns the text with each character replaced by the intended character; nil when one character has no
  /// replacement.
  private static func replacement(of text: String) -> String? {
    var result = ""
    for scalar in text.unicodeScalars {
      guard let right = replacement(of: scalar) else { return nil }
      result += right
    }
    return result
  }

  private static func replacement(of scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x3B, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0x61C, 0xAD, 0xFEFF: return ""
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: return " "
    case 0x2010...0x2015, 0x2212: return "-"
    case 0x27, 0x60, 0x2018...0x201F, 0xAB, 0xBB, 0x2039, 0x203A: return "\""
    case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0) }
    default: return latin[scalar].map { String($0) }
    }
  }

  private static func number(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + digits
  }

  /// Returns the kind of a letter; nil when its alphabet is not in the table.
  private static func script(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0xC0...0x24F, 0x1E00...0x1EFF: "a Latin letter outside ASCII"
    case 0x370...0x3FF: "a Greek letter"
    case 0x400...0x52F: "a Cyrillic letter"
    case 0x530...0x58F: "an Armenian letter"
    case 0x590...0x5FF: "a Hebrew letter, written from right to left"
    case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF: "an Arabic letter, written from right to left"
    case 0x700...0x74F: "a Syriac letter, written from right to left"
    case 0x780...0x7BF: "a Thaana letter, written from right to left"
    case 0x900...0x97F: "a Devanagari letter"
    case 0x3040...0x30FF: "a Japanese letter"
    case 0x4E00...0x9FFF: "a Chinese character"
    case 0xAC00...0xD7A3: "a Korean letter"
    default: nil
    }
  }

  private static func article(_ scalar: Unicode.Scalar) -> String {
    alphabet(scalar).hasPrefix("A") ? "an" : "a"
  }

  private static func alphabet(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0xB5, 0x370...0x3FF: "Greek"
    case 0x400...0x52F: "Cyrillic"
    case 0x530...0x58F: "Armenian"
    default: "wide"
    }
  }

  /// Letters of other alphabets that look like Latin letters.
  private static let latin: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs =
      "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl µu μu АA ВB ЕE КK МM НH ОO РP СC ТT ХX ІI ЈJ ЅS "
      + "οo νv ιi αa ρp υu ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX օo սu հh ոn"
    var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
    for pair in pairs.split(separator: " ") {
      let scalars = Array(pair.unicodeScalars)
      letters[scalars[0]] = scalars[1]
    }
    return letters
  }()
}
