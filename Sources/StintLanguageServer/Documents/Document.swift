import StintFormats
import StintLanguage

/// A policy that is open in the editor.
struct Document: Sendable {
  let identifier: String
  /// What the editor counts; nil when it does not.
  var version: JSONValue
  private(set) var text: DocumentText

  init(identifier: String, version: JSONValue, text: String) {
    self.identifier = identifier
    self.version = version
    self.text = DocumentText(text)
  }

  /// The text as the language takes it.
  var source: SourceText { SourceText(file: identifier, bytes: text.bytes) }

  /// How many bytes stand before the first one of `source`.
  private var lead: Int { text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  // MARK: Other policies

  /// What the policy calls itself; empty when it does not.
  var policyName: String { Parser.parse(source).file.name?.text ?? "" }

  /// The policies of which it names rules.
  var namedPolicies: Set<String> {
    // Most policies name no other, and then the text need not be read.
    guard text.bytes.contains(UInt8(ascii: "/")) else { return [] }
    let file = Parser.parse(source).file
    let names = file.items.flatMap { item -> [String] in
      guard case .rule(let rule) = item else { return [] }
      return rule.overrides.compactMap { name in
        let parts = name.text.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
      }
    }
    return Set(names).subtracting([file.name?.text ?? ""])
  }

  var namesOtherPolicies: Bool { !namedPolicies.isEmpty }

  // MARK: Changes

  /// Carries out one change; without a range the text is the whole.
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

  /// An offset into `source`.
  func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    // The source of a text that is too long ends before the text does.
    min(max(0, text.offset(of: position, encoding) - lead), SourceText.mostBytes)
  }

  /// A span of `source` as editors write it.
  func range(_ span: SourceSpan, _ encoding: PositionEncoding) -> JSONValue {
    ["start": place(span.start, encoding), "end": place(max(span.start, span.end), encoding)]
  }

  /// The position of an offset into `source`.
  func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    text.position(of: offset + lead, encoding)
  }

  /// The number of the line, from 0, that holds an offset into `source`.
  func line(of offset: Int) -> Int { text.position(of: offset + lead, .utf8).line }

  /// How long a stretch of `source` is as editors count.
  func units(_ range: Range<Int>, _ encoding: PositionEncoding) -> Int {
    text.units(in: range.lowerBound + lead..<range.upperBound + lead, encoding)
  }

  private func place(_ offset: Int, _ encoding: PositionEncoding) -> JSONValue {
    let position = position(of: offset, encoding)
    return ["line": JSONValue(position.line), "character": JSONValue(position.character)]
  }
}
