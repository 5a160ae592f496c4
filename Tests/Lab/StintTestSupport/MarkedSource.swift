public import StintLanguage

/// A source text with marked ranges. For example, `rule r while ⟦gps.onn⟧ {}` gives the text without
/// brackets, and the span of `gps.onn`.
public struct MarkedSource: Sendable {
  /// The text without marks.
  public let text: String
  /// The marked spans as UTF-8 offsets, in the order of the opening marks.
  public let spans: [SourceSpan]

  /// Removes the marks; every `⟦` needs its `⟧`, and pairs may nest.
  public init(_ marked: String) {
    var bytes: [UInt8] = []
    var spans: [SourceSpan] = []
    var open: [Int] = []
    for character in marked {
      switch character {
      case "⟦":
        open.append(spans.count)
        spans.append(SourceSpan(start: bytes.count, end: bytes.count))
      case "⟧":
        guard let index = open.popLast() else { preconditionFailure("a closing mark without its opening") }
        spans[index].end = bytes.count
      default: bytes += String(character).utf8
      }
    }
    precondition(open.isEmpty, "an opening mark without a closing mark")
    text = String(decoding: bytes, as: UTF8.self)
    self.spans = spans
  }

  /// Returns the text as a source file.
  public func source(file: String = "test.stint") -> SourceText { SourceText(file: file, text: text) }
}
