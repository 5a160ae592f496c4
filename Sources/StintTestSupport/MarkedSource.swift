public import StintLanguage

/// A source with places marked in it: `rule r while ⟦gps.onn⟧ {}` is the text without the brackets and the span
/// that they enclosed.
public struct MarkedSource: Sendable {
  /// The text without marks.
  public let text: String
  /// What the marks enclosed, in UTF-8 offsets, in the order of the opening marks.
  public let spans: [SourceSpan]

  /// Takes the marks out; every `⟦` needs its `⟧`, and they may nest.
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
        guard let index = open.popLast() else { preconditionFailure("a mark is closed that was not opened") }
        spans[index].end = bytes.count
      default: bytes += String(character).utf8
      }
    }
    precondition(open.isEmpty, "a mark is never closed")
    text = String(decoding: bytes, as: UTF8.self)
    self.spans = spans
  }

  /// The text as a file.
  public func source(file: String = "test.stint") -> SourceText { SourceText(file: file, text: text) }
}
