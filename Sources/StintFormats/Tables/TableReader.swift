/// Rows of a comma separated table whose first line names the columns.
///
/// Columns come in any order; columns that the caller does not ask for are skipped. Fields may stand between
/// double quotes, a quote inside doubled; a field does not reach over several lines. Empty lines are passed
/// over.
struct TableReader {
  let lines: LineSource
  private let wanted: [TableColumn]
  /// For each wanted column, which field of a row it is.
  private var positions: [Int?] = []
  /// How many fields a row has.
  private var width = 0
  private var splitter = FieldSplitter()

  /// Reads the line with the names.
  init(_ lines: LineSource, columns: [TableColumn]) throws(FormatError) {
    self.lines = lines
    wanted = columns
    repeat {
      guard try lines.advance() else {
        throw FormatError(
          .empty, source: lines.name, cause: "there is nothing in it",
          step: "the first line names the columns: \(columns.map(\.name).joined(separator: ","))")
      }
    } while lines.line.isEmpty
    try split()
    let names = splitter.fields.indices.map { splitter.text($0, in: lines.buffer) }
    width = names.count
    for column in columns { positions.append(try position(of: column, in: names)) }
  }

  /// Steps to the next row; false at the end.
  mutating func advance() throws(FormatError) -> Bool {
    repeat {
      guard try lines.advance() else { return false }
    } while lines.line.isEmpty
    try split()
    guard splitter.fields.count == width else {
      if lines.isUnfinished && splitter.fields.count < width {
        throw error(
          .cut, "the file ends in the middle of a row: \(splitter.fields.count) of \(width) fields are there",
          step: "remove the last line, or get the whole file")
      }
      throw error(
        .syntax, "the row has \(splitter.fields.count) fields, and the first line names \(width)",
        step: "give every row as many fields as there are columns")
    }
    return true
  }

  /// The number in a wanted column; nil where the field is empty or the table has no such column.
  func number(_ column: Int) throws(FormatError) -> Double? {
    guard let position = positions[column], !splitter.isEmpty(position) else { return nil }
    if let number = DecimalText.number(splitter.bytes(position, in: lines.buffer)) { return number }
    let text = splitter.text(position, in: lines.buffer)
    if ["nan", "inf", "infinity"].contains(text.lowercased().drop { $0 == "-" || $0 == "+" }) {
      throw error(
        .value, "“\(text)” is not a finite number", column: column,
        step: "leave the field empty where it is unknown")
    }
    throw error(
      .type, "“\(Excerpt.text(text))” is not a number", column: column,
      step: "write it like -12.5, without a unit")
  }

  /// The number in a column that must not be empty.
  func requiredNumber(_ column: Int) throws(FormatError) -> Double {
    if let number = try number(column) { return number }
    throw error(.missing, "the field is empty", column: column, step: "every row needs a number here")
  }

  /// Whether there is nothing in a wanted column.
  func isEmpty(_ column: Int) -> Bool { positions[column].map { splitter.isEmpty($0) } ?? true }

  /// The text in a wanted column; nil where the field is empty or the table has no such column.
  func text(_ column: Int) -> String? {
    guard let position = positions[column], !splitter.isEmpty(position) else { return nil }
    return splitter.text(position, in: lines.buffer)
  }

  /// Whether a wanted column holds exactly this text.
  func holds(_ text: String, _ column: Int) -> Bool {
    guard let position = positions[column] else { return false }
    return splitter.bytes(position, in: lines.buffer).elementsEqual(text.utf8)
  }

  /// An error at the current row, or at one of its fields.
  func error(_ code: FormatError.Code, _ cause: String, column: Int? = nil, step: String) -> FormatError {
    var place = FormatPlace(line: lines.lineNumber, column: 1)
    if let position = column.flatMap({ positions[$0] }) {
      let start = splitter.fields[position].start
      place.column = 1 + lines.buffer[lines.range.lowerBound..<start].count { $0 & 0xC0 != 0x80 }
    }
    return FormatError(
      code, source: lines.name, place: place, path: column.map { wanted[$0].name } ?? "", cause: cause,
      step: step)
  }

  private mutating func split() throws(FormatError) {
    if let fault = splitter.split(lines.buffer, lines.range) {
      throw error(
        lines.isUnfinished ? .cut : .syntax, fault,
        step: "close it with \" before the next comma or the end of the line")
    }
  }

  private func position(of column: TableColumn, in names: [String]) throws(FormatError) -> Int? {
    let places = names.indices.filter { names[$0] == column.name }
    if places.count > 1 {
      throw error(.duplicate, "two columns are named “\(column.name)”", step: "rename one of them")
    }
    if places.isEmpty && column.isRequired { throw missing(column, names) }
    return places.first
  }

  private func missing(_ column: TableColumn, _ names: [String]) -> FormatError {
    let found = Excerpt.text(names.joined(separator: ", "))
    let unknown = names.filter { name in !wanted.contains { $0.name == name } }
    var step = "name one of the columns so"
    if names.count == 1, names[0].contains(";") || names[0].contains("\t") {
      step = "separate the columns with commas"
    } else if let near = Spelling.nearest(to: column.name, among: unknown) {
      step = "did you mean “\(column.name)” by “\(near)”?"
    } else if names.allSatisfy({ DecimalText.number(Array($0.utf8)[...]) != nil }) {
      step = "the first line must name the columns"
    }
    var error = error(.missing, "no column is named “\(column.name)”; found: \(found)", step: step)
    error.path = column.name
    return error
  }
}
