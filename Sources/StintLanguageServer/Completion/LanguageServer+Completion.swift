import StintAuthoring
import StintFormats
import StintLanguage

extension LanguageServer {
  func completion(_ parameters: JSONValue) throws(ResponseError) -> JSONValue {
    let document = try document(parameters.documentIdentifier())
    let cursor = document.offset(of: try parameters.part("position").position(), encoding)
    let reading = ParsedDocument(document, vocabulary: vocabulary)
    guard let (pieces, typed) = Piece.before(cursor, in: reading.source) else { return [] }
    let place = CompletionContext(pieces, in: reading.source)
    let expectations = Self.expectations(pieces, typed, place, in: reading)
    let source = CandidateSource(
      reading: reading, foreignRules: foreignRules(for: expectations, in: reading),
      asksClient: place.asksClient, isTest: place.item == "test")
    var span = expectations.contains(.rules) ? Self.rulePath(typed, in: reading.source) : typed
    var prefix = ""
    // A unit may follow its number without a space. Editors match candidates against the typed number, so the
    // edit replaces the number as well.
    if let number = pieces.last, number.kind == .number, number.span.end == typed.start,
      typed.start == typed.end
    {
      span = number.span
      prefix = number.text + " "
    }
    let range = document.range(span, encoding)
    var seen: Set<String> = []
    let items = expectations.flatMap { source.candidates(for: $0) }.filter { seen.insert($0.label).inserted }
    return JSONValue(items.map { $0.json(replacing: range, prefix: prefix) })
  }

  private static func expectations(
    _ pieces: [Piece], _ typed: SourceSpan, _ place: CompletionContext, in reading: ParsedDocument
  ) -> [Expectation] {
    let source = reading.source
    let line = source.position(of: typed.start)
    let indent = source.line(line.line).prefix(line.column - 1)
    let startsLine = indent.allSatisfy { $0 == " " || $0 == "\t" }
    let items = Expectation.keywords(Keywords.items)
    // Outside of all blocks, a word in the first column begins an item.
    if startsLine, indent.isEmpty, !pieces.isEmpty, place.block == .item { return [items] }
    let within = PolicyCompletion(place: place, reading: reading).expectations()
    guard place.block == .item, !pieces.isEmpty, startsLine || place.clause.isEmpty else { return within }
    return within + [items]
  }

  /// Extends the typed range back to the beginning of a name such as `other-policy/pack`.
  private static func rulePath(_ typed: SourceSpan, in source: SourceText) -> SourceSpan {
    var start = typed.start
    while start > 0, isInRulePath(source.bytes[start - 1]) { start -= 1 }
    return SourceSpan(start: start, end: typed.end)
  }

  private static func isInRulePath(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2F: true
    default: false
    }
  }

  private func foreignRules(for expectations: [Expectation], in reading: ParsedDocument) -> [String] {
    guard expectations.contains(.rules) else { return [] }
    return others(than: reading.document).map { ParsedDocument($0, vocabulary: vocabulary) }.filter {
      !$0.name.isEmpty
    }.flatMap {
      other in
      other.index.definitions.filter { $0.symbol.kind == .rule }.map { "\(other.name)/\($0.symbol.name)" }
    }.sorted()
  }
}
