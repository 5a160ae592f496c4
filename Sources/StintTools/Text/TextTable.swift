import StintUnits

/// A text table. The first column is aligned left. The other columns are aligned right. Each column is as
/// wide as its widest cell in rows of several cells.
public struct TextTable: Hashable, Sendable {
  /// The style of a row.
  public enum Weight: Hashable, Sendable {
    case heading, plain, total, quiet
  }

  private struct Row: Hashable {
    var cells: [String]
    var weight: Weight
  }

  private var rows: [Row] = []
  /// The number of spaces between two columns.
  public var gap = 3

  /// Creates an empty table.
  public init() {}

  /// True when the table has no rows.
  public var isEmpty: Bool { rows.isEmpty }

  /// Adds a row. Missing cells are empty; a row without cells is an empty line.
  public mutating func add(_ cells: [String], _ weight: Weight = .plain) {
    // Names of clients, devices and files may contain characters that forge a report.
    rows.append(Row(cells: cells.map { VisibleText.line($0) }, weight: weight))
  }

  /// Returns the lines of the table, without a line feed after the last line.
  public func text(_ paint: Paint) -> String {
    let count = rows.map(\.cells.count).max() ?? 0
    // A row with a single cell, such as a heading, does not affect the column widths.
    let widths = (0..<count).map { column in
      rows.filter { $0.cells.count > 1 }.map { $0.cells.count > column ? $0.cells[column].count : 0 }.max()
        ?? 0
    }
    return rows.map { line($0, widths, paint) }.joined(separator: "\n")
  }

  private func line(_ row: Row, _ widths: [Int], _ paint: Paint) -> String {
    var line = ""
    for (column, cell) in row.cells.enumerated() {
      if column == 0 {
        line += row.cells.count == 1 ? cell : Self.pad(cell, to: widths[0])
      } else {
        line += String(repeating: " ", count: gap + max(0, widths[column] - cell.count)) + cell
      }
    }
    while line.last == " " { line.removeLast() }
    switch row.weight {
    case .heading, .total: return paint.strong(line)
    case .quiet: return paint.quiet(line)
    case .plain: return line
    }
  }

  /// Returns the string padded with spaces at the end to a width.
  public static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
