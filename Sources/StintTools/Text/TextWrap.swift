/// Wraps text into lines of a maximum width, between words only.
///
/// A word wider than the line gets its own line and is not broken, so that paths can be copied. The sequences
/// of `Paint` have no width.
public struct TextWrap: Hashable, Sendable {
  /// The maximum number of characters in a line.
  public let columns: Int

  /// The width of pages such as `help` and `explain`: a terminal of 80 columns less a margin.
  public static let page = TextWrap(columns: 78)

  /// Creates a wrapper for a line width.
  ///
  /// - Precondition: `columns` is at least 1.
  public init(columns: Int) {
    precondition(columns > 0, "a line needs at least one column")
    self.columns = columns
  }

  /// Returns the words of one paragraph, wrapped.
  ///
  /// - Parameters:
  ///   - first: the beginning of the first line, unchanged.
  ///   - indent: the number of spaces before all further lines.
  public func paragraph(_ text: String, first: String = "", indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = first
    var width = Self.width(of: first)
    var isFresh = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      let size = Self.width(of: word)
      if !isFresh, width + 1 + size > columns {
        lines.append(line)
        line = margin
        width = indent
        isFresh = true
      }
      line += isFresh ? word : " " + word
      width += isFresh ? size : size + 1
      isFresh = false
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// Returns several paragraphs, each wrapped again. An empty line ends a paragraph; an indented line is a
  /// paragraph of its own.
  public func paragraphs(_ text: String) -> String {
    var blocks: [String] = []
    var paragraphContinues = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.first == " "
      if paragraphContinues, !line.isEmpty, !isIndented {
        blocks[blocks.count - 1] += " " + line
      } else {
        blocks.append(String(line))
      }
      paragraphContinues = !line.isEmpty && !isIndented
    }
    return blocks.map { block in
      let margin = block.prefix { $0 == " " }
      return paragraph(String(block), first: String(margin), indent: margin.count == 0 ? 0 : margin.count + 2)
    }.joined(separator: "\n")
  }

  /// Returns the lines of a report, in which two or more spaces separate cells. A line that is too wide
  /// continues below the cell that `lastCell` finds. When this is the first cell, the continuation is
  /// indented by four columns more than the cell.
  public func report(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard Self.width(of: line) > columns else { return String(line) }
      let (start, isCell) = lastCell(of: line)
      let head = line[..<start]
      return paragraph(
        String(line[start...]), first: String(head), indent: Self.width(of: head) + (isCell ? 0 : 4))
    }.joined(separator: "\n")
  }

  /// Returns the start of the last cell that leaves at least three eighths of the width for its text. When
  /// there is no such cell, returns the start of the first cell.
  private func lastCell(of line: Substring) -> (start: Substring.Index, isCell: Bool) {
    let first = line.firstIndex { $0 != " " } ?? line.startIndex
    var start = first
    var index = first
    var spaces = 0
    while index < line.endIndex {
      if line[index] == " " {
        spaces += 1
      } else {
        if spaces > 1, Self.width(of: line[..<index]) <= columns * 5 / 8 { start = index }
        spaces = 0
      }
      index = line.index(after: index)
    }
    return (start, start != first)
  }

  /// Returns the number of visible characters, without the sequences of `Paint`, ESC [ digits m.
  static func width(of text: some StringProtocol) -> Int {
    guard text.utf8.contains(0x1B) else { return text.count }
    var count = 0
    var isSequence = false
    for character in text {
      if character == "\u{1B}" {
        isSequence = true
      } else if isSequence {
        if character == "m" { isSequence = false }
      } else {
        count += 1
      }
    }
    return count
  }
}
