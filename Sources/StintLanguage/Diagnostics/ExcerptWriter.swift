/// Renders each source line that has labels. A mark below the line shows each label, with its text beside or
/// below the mark.
struct ExcerptWriter {
  let source: SourceText
  let severity: Diagnostic.Severity
  let paint: DiagnosticPaint

  /// A label on one line.
  private struct Mark {
    var label: Diagnostic.Label
    /// True for the first label of the diagnostic.
    var isFirst: Bool
    var line: Int
    /// The byte range of the mark in the source, limited to its line.
    var range: Range<Int>
  }

  /// The position of a label in the excerpt, in columns from 0.
  private struct Stroke {
    var column: Int
    var length: Int
    var text: String
    var isFirst: Bool
    var end: Int { column + length }
  }

  /// The maximum number of bytes that are shown of a line. Longer lines are cut around the labels.
  private static let maxBytes = 160

  /// Returns the excerpts for all labels, in order of position. The first label is the position of the
  /// problem.
  func lines(_ labels: [Diagnostic.Label]) -> [String] {
    let marks = labels.enumerated().map { mark($0.element, isFirst: $0.offset == 0) }.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var groups: [[Mark]] = []
    for mark in marks {
      if let first = groups.last?.first, first.line == mark.line,
        mark.range.lowerBound - first.range.lowerBound < Self.maxBytes - 40
      {
        groups[groups.count - 1].append(mark)
      } else {
        groups.append([mark])
      }
    }
    let width = "\(marks.map(\.line).max() ?? 1)".count
    return groups.flatMap { excerpt($0, width) }
  }

  private func mark(_ label: Diagnostic.Label, isFirst: Bool) -> Mark {
    let line = source.position(of: label.span.start).line
    let whole = source.lineRange(line)
    let start = min(max(label.span.start, whole.lowerBound), whole.upperBound)
    let end = min(max(label.span.end, start), whole.upperBound)
    return Mark(label: label, isFirst: isFirst, line: line, range: start..<end)
  }

  private func excerpt(_ marks: [Mark], _ width: Int) -> [String] {
    let whole = source.lineRange(marks[0].line)
    let first = marks[0].range.lowerBound
    let start =
      first - whole.lowerBound > 100
      ? max(whole.lowerBound, source.boundary(atOrBefore: first - 40)) : whole.lowerBound
    let end = max(source.boundary(atOrBefore: min(whole.upperBound, start + Self.maxBytes)), first)
    let strokes = marks.map { mark in
      let place = min(mark.range.lowerBound, end)
      let marked = printable(place..<min(mark.range.upperBound, end))
      return Stroke(
        column: Self.columns(printable(start..<place)), length: max(Self.columns(marked), 1),
        text: mark.label.text, isFirst: mark.isFirst)
    }
    let number = "\(marks[0].line)"
    let padding = String(repeating: " ", count: width - number.count)
    let margin = " " + String(repeating: " ", count: width) + " |"
    return [" \(padding)\(number) | \(printable(start..<end))"]
      + rows(of: strokes).flatMap(draw).map { "\(margin) \($0)" }
  }

  /// Distributes strokes over rows. Strokes with at least one free column between them can be in one row.
  private func rows(of strokes: [Stroke]) -> [[Stroke]] {
    var rows: [[Stroke]] = []
    for stroke in strokes {
      if let row = rows.firstIndex(where: { $0.allSatisfy { $0.end < stroke.column } }) {
        rows[row].append(stroke)
      } else {
        rows.append([stroke])
      }
    }
    return rows
  }

  /// Returns the lines of a row. The first line contains the marks and, after the last mark, its text. Each
  /// of the other texts is on a separate line below.
  private func draw(_ row: [Stroke]) -> [String] {
    var pieces = row.map { stroke in
      (stroke.column, String(repeating: stroke.isFirst ? "^" : "-", count: stroke.length), stroke.isFirst)
    }
    if let last = row.last, !last.text.isEmpty { pieces[pieces.count - 1].1 += " " + last.text }
    var lines = [line(pieces)]
    var hanging = row.dropLast().filter { !$0.text.isEmpty }
    if !hanging.isEmpty { lines.append(line(hanging.map { ($0.column, "|", $0.isFirst) })) }
    while let stroke = hanging.popLast() {
      lines.append(
        line(hanging.map { ($0.column, "|", $0.isFirst) } + [(stroke.column, stroke.text, stroke.isFirst)]))
    }
    return lines
  }

  private func line(_ pieces: [(column: Int, text: String, isFirst: Bool)]) -> String {
    var result = ""
    var column = 0
    for piece in pieces {
      result += String(repeating: " ", count: max(0, piece.column - column))
      result += paint.severity(piece.text, piece.isFirst ? severity : .note)
      column = piece.column + piece.text.count
    }
    return result
  }

  /// Returns a range of one line. Control characters become spaces, invisible characters become boxes.
  private func printable(_ range: Range<Int>) -> String {
    let text = source.text(of: SourceSpan(start: range.lowerBound, end: range.upperBound))
    return String(String.UnicodeScalarView(text.unicodeScalars.map(Self.printable)))
  }

  private static func printable(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: " "
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF, 0xAD, 0x61C: "□"
    default: scalar
    }
  }

  /// Returns the width of a string in terminal columns. Wide characters occupy two columns.
  private static func columns(_ text: String) -> Int {
    text.reduce(0) { sum, character in sum + (isWide(character) ? 2 : 1) }
  }

  private static func isWide(_ character: Character) -> Bool {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
