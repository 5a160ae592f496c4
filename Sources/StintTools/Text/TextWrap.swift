/// Breaks text for people into lines of a width, between words only.
///
/// A word that is wider than the line has a line of its own and stays whole: a path that is broken cannot be copied.
/// The sequences of `Paint` take no room.
public struct TextWrap: Hashable, Sendable {
  /// How many characters a line may have.
  public let columns: Int

  /// The width of pages, such as those of `help` and `explain`: with a margin within a terminal of 80 columns.
  public static let page = TextWrap(columns: 78)

  /// - Precondition: `columns` is at least 1.
  public init(columns: Int) {
    precondition(columns > 0, "a line has room for a character")
    self.columns = columns
  }

  /// The words of one paragraph, after a first text and with an indent below it.
  ///
  /// - Parameters:
  ///   - first: what the first line begins with, as it is.
  ///   - indent: how many spaces the other lines begin with.
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

  /// Paragraphs, each filled again: an empty line ends one, and a line that begins with a space has its own.
  public func paragraphs(_ text: String) -> String {
    var blocks: [String] = []
    var goesOn = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.first == " "
      if goesOn, !line.isEmpty, !isIndented {
        blocks[blocks.count - 1] += " " + line
      } else {
        blocks.append(String(line))
      }
      goesOn = !line.isEmpty && !isIndented
    }
    return blocks.map { block in
      let margin = block.prefix { $0 == " " }
      return paragraph(String(block), first: String(margin), indent: margin.count == 0 ? 0 : margin.count + 2)
    }.joined(separator: "\n")
  }

  /// The lines of a report, each as it is where it fits; the rest of one that does not goes below its last cell.
  ///
  /// Two spaces end a cell. A line without cells goes on four columns further in.
  public func report(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard Self.width(of: line) > columns else { return String(line) }
      let (start, isCell) = lastCell(of: line)
      let head = line[..<start]
      return paragraph(
        String(line[start...]), first: String(head), indent: Self.width(of: head) + (isCell ? 0 : 4))
    }.joined(separator: "\n")
  }

  /// Where the last cell of a line begins that leaves the text three eighths of the width; else where its first does.
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

  /// How many characters are seen: all but the sequences of `Paint`, ESC [ digits m.
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
