import StintAuthoring
import StintFormats
import StintLanguage
import StintModel

/// The semantic tokens of a policy: ranges of its text with their kinds, for which editors choose colours.
struct SemanticTokens {
  /// The kinds of tokens, in the order of the legend.
  enum Kind: String, CaseIterable {
    case keyword, comment, string, number, type, `operator`, function, variable, parameter, property,
      `enumMember`, namespace, `class`, event
  }

  /// The legend for the editor: the names of the kinds, in order.
  static var legend: JSONValue {
    [
      "tokenTypes": JSONValue(Kind.allCases.map { JSONValue($0.rawValue) }),
      "tokenModifiers": ["declaration"],
    ]
  }

  /// A range of the source with its kind.
  private struct ColouredRange {
    var span: SourceSpan
    var kind: Kind
    var isDeclaration: Bool
  }

  private let reading: ParsedDocument
  private var ranges: [ColouredRange] = []

  init(_ reading: ParsedDocument) {
    self.reading = reading
    let source = reading.source
    var mentions = reading.index.mentions[...]
    var before: PolicyToken?
    for token in PolicyToken.all(of: source) {
      while let first = mentions.first, first.span.end <= token.span.start { mentions.removeFirst() }
      if let mention = mentions.first, mention.span.start < token.span.end, token.kind != .comment {
        // A name may consist of several tokens but is coloured once.
        if mention.span.start >= token.span.start, let kind = Self.kind(of: mention.meaning) {
          add(mention.span, kind, isDeclaration: mention.isDefinition)
        }
      } else if let kind = Self.kind(of: token, source.text(of: token.span), after: before) {
        add(token.span, kind)
      }
      before = token
    }
  }

  private mutating func add(_ span: SourceSpan, _ kind: Kind, isDeclaration: Bool = false) {
    ranges.append(ColouredRange(span: span, kind: kind, isDeclaration: isDeclaration))
  }

  private static func kind(of token: PolicyToken, _ text: String, after before: PolicyToken?) -> Kind? {
    switch token.kind {
    case .comment: return .comment
    case .string: return .string
    case .number, .clock: return .number
    case .strange: return nil
    case .symbol: return "{}()[],.".contains(text) ? nil : text == "%" ? .type : .operator
    case .word:
      // After a number, a word that is not a keyword is a unit.
      if before?.kind == .number, !token.isFirstOnLine, !Keywords.all.contains(text) { return .type }
      return Keywords.all.contains(text) ? .keyword : nil
    }
  }

  private static func kind(of meaning: Mention.Meaning) -> Kind? {
    switch meaning {
    case .symbol(let symbol):
      switch symbol.kind {
      case .device: .namespace
      case .let, .budget: .variable
      case .parameter: .parameter
      case .schedule, .zone, .machine: .class
      case .state: .enumMember
      case .rule: .event
      }
    case .fact, .setting: .property
    case .device: .namespace
    case .foreignRule: .event
    case .function: .function
    case .verb: .keyword
    case .word: .enumMember
    case .unknown: nil
    }
  }

  /// Returns five numbers for each range; positions are relative to the previous range. Ranges that extend
  /// over more than one line are left out.
  func data(_ encoding: PositionEncoding) -> JSONValue {
    var numbers: [JSONValue] = []
    numbers.reserveCapacity(ranges.count * 5)
    var last = TextPosition(line: 0, character: 0)
    var lastOffset = 0
    let document = reading.document
    for range in ranges {
      var start = TextPosition(line: document.line(of: range.span.start), character: 0)
      guard start.line == document.line(of: range.span.end) else { continue }
      // On the same line, count from the previous range; counting from the start would be slow on a long
      // line.
      start.character =
        start.line == last.line && lastOffset > 0
        ? last.character + document.units(lastOffset..<range.span.start, encoding)
        : document.position(of: range.span.start, encoding).character
      let length = document.units(range.span.start..<range.span.end, encoding)
      let kind = Kind.allCases.firstIndex(of: range.kind) ?? 0
      numbers += [
        JSONValue(start.line - last.line),
        JSONValue(start.line == last.line ? start.character - last.character : start.character),
        JSONValue(length), JSONValue(kind), JSONValue(range.isDeclaration ? 1 : 0),
      ]
      last = start
      lastOffset = range.span.start
    }
    return ["data": JSONValue(numbers)]
  }
}
