import StintFormats
import StintLanguage
import StintUnits

/// A policy that is open in the editor.
struct Document: Sendable {
  let identifier: String
  /// The version number of the document from the editor; null when the editor sends no version.
  var version: JSONValue
  private(set) var text: DocumentText

  init(identifier: String, version: JSONValue, text: String) {
    self.identifier = identifier
    self.version = version
    self.text = DocumentText(text)
  }

  /// The text as a source for the parser.
  var source: SourceText { SourceText(file: identifier, bytes: text.bytes) }

  /// The number of bytes of the text before the first byte of `source`: the size of a byte-order mark.
  private var lead: Int { text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  // MARK: Other policies

  /// The name of the policy; empty when the document does not name its policy.
  var policyName: String { Parser.parse(source, units: .standard).file.name?.text ?? "" }

  /// The names of the other policies to whose rules this policy refers after `over`.
  var namedPolicies: Set<String> {
    // Most policies refer to no other policy; then the text is not parsed.
    guard text.bytes.contains(UInt8(ascii: "/")) else { return [] }
    let file = Parser.parse(source, units: .standard).file
    let names = file.allRules.flatMap { rule in
      rule.overrides.compactMap { name -> String? in
        let parts = name.text.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
      }
    }
    return Set(names).subtracting([file.name?.text ?? ""])
  }

  var namesOtherPolicies: Bool { !namedPolicies.isEmpty }

  // MARK: Changes

  /// Applies one change. A change without a range replaces the whole text.
  mutating func apply(_ change: JSONValue, _ encoding: PositionEncoding) throws(ResponseError) {
    let new = try change.text("text")
    guard let range = change["range"], !range.isNull else {
      text = DocumentText(new)
      return
    }
    let positions = try range.range()
    let start = text.offset(of: positions.lowerBound, encoding)
    let end = text.offset(of: positions.upperBound, encoding)
    text.replace(start..<max(start, end), with: new)
  }

  // MARK: Places

  /// Returns the offset of a position in `source`.
  func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    // When a text exceeds the size limit, its source contains only the beginning of the text.
    min(max(0, text.offset(of: position, encoding) - lead), SourceText.maxBytes)
  }

  /// Returns a span of `source` as a range of the protocol.
  func range(_ span: SourceSpan, _ encoding: PositionEncoding) -> JSONValue {
    ["start": place(span.start, encoding), "end": place(max(span.start, span.end), encoding)]
  }

  /// Returns the position of an offset in `source`.
  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    text.position(of: offset + lead, encoding)
  }

  /// Returns the line, from 0, that contains an offset in `source`.
  func line(of offset: Int) -> Int { text.position(of: offset + lead, .utf8).line }

  /// Returns the length of a range of `source`, in units of the encoding.
  func units(_ range: Range<Int>, _ encoding: PositionEncoding) -> Int {
    text.units(in: range.lowerBound + lead..<range.upperBound + lead, encoding)
  }

  private func place(_ offset: Int, _ encoding: PositionEncoding) -> JSONValue {
    let position = position(of: offset, encoding)
    return ["line": JSONValue(position.line), "character": JSONValue(position.character)]
  }
}
