import StintFormats
import StintUnits

/// Reads the rows of a comma-separated table whose first line contains the column names.
///
/// Columns may have any order; columns are ignored if the caller does not request them. A field may be
/// quoted; a quote inside such a field is written twice. A field cannot span lines. Empty lines are skipped.
struct TableReader {
  let lines: LineSource
  private let wanted: [TableColumn]
  /// For each requested column, the index of its field in a row; nil when the table lacks the column.
  private var positions: [Int?] = []
  /// The number of fields in a row.
  private var width = 0
  private var splitter = FieldSplitter()

  /// Reads the line of column names.
  init(_ lines: LineSource, columns: [TableColumn]) throws(Problem) {
    self.lines = lines
    wanted = columns
    repeat {
      guard try lines.advance() else {
        throw Problem(
          .empty, place: lines.name, cause: "the file has no content",
          remedy: "begin with the line of column names: \(columns.map(\.name).joined(separator: ","))")
      }
    } while lines.line.isEmpty
    try split()
    let names = splitter.fields.indices.map { splitter.text($0, in: lines.buffer) }
    width = names.count
    for column in columns { positions.append(try position(of: column, in: names)) }
  }

  /// Advances to the next row. Returns false at the end.
  mutating func advance() throws(Problem) -> Bool {
    repeat {
      guard try lines.advance() else { return false }
    } while lines.line.isEmpty
    try split()
    guard splitter.fields.count == width else {
      if lines.isUnfinished && splitter.fields.count < width {
        throw error(
          .truncated, "the file ends inside a row: it has \(splitter.fields.count) of \(width) fields",
          remedy: "remove the last line, or get the complete file")
      }
      throw error(
        .syntax, "the row has \(splitter.fields.count) fields, but there are \(width) columns",
        remedy: "write one field for each column")
    }
    return true
  }

  /// Returns the number in a requested column; nil when the field is empty or the table lacks the column.
  func number(_ column: Int) throws(Problem) -> Double? {
    guard let position = positions[column], !splitter.isEmpty(position) else { return nil }
    if let number = DecimalText.number(splitter.bytes(position, in: lines.buffer)) { return number }
    let text = splitter.text(position, in: lines.buffer)
    if ["nan", "inf", "infinity"].contains(text.lowercased().drop { $0 == "-" || $0 == "+" }) {
      throw error(
        .value, "“\(text)” is not a finite number", column: column,
        remedy: "leave the field empty where it is unknown")
    }
    throw error(
      .type, "“\(Excerpt.text(text))” is not a number", column: column,
      remedy: "write it like -12.5, without a unit")
  }

  /// Returns the number in a column that must not be empty.
  func requiredNumber(_ column: Int) throws(Problem) -> Double {
    if let number = try number(column) { return number }
    throw error(.missing, "the field is empty", column: column, remedy: "every row needs a number here")
  }

  /// Whether the field of a requested column is empty or absent.
  func isEmpty(_ column: Int) -> Bool { positions[column].map { splitter.isEmpty($0) } ?? true }

  /// Returns the string in a requested column; nil when the field is empty or the table lacks the column.
  func text(_ column: Int) -> String? {
    guard let position = positions[column], !splitter.isEmpty(position) else { return nil }
    return splitter.text(position, in: lines.buffer)
  }

  /// Whether the field of a requested column equals this string.
  func fieldEquals(_ text: String, _ column: Int) -> Bool {
    guard let position = positions[column] else { return false }
    return splitter.bytes(position, in: lines.buffer).elementsEqual(text.utf8)
  }

  /// Makes an error at the current row, or at one of its fields.
  func error(_ code: Problem.Code, _ cause: String, column: Int? = nil, remedy: String) -> Problem {
    var place = TextLocation(line: lines.lineNumber, column: 1)
    if let position = column.flatMap({ positions[$0] }) {
      let start = splitter.fields[position].start
      place.column = 1 + lines.buffer[lines.range.lowerBound..<start].count { $0 & 0xC0 != 0x80 }
    }
    return Problem(
      code, place: Problem.Place(lines.name, at: place, part: column.map { wanted[$0].name } ?? ""),
      cause: cause, remedy: remedy)
  }

  private mutating func split() throws(Problem) {
    if let fault = splitter.split(lines.buffer, lines.range) {
      throw error(
        lines.isUnfinished ? .truncated : .syntax, fault,
        remedy: "end the quoted field with \" directly before a comma or the end of the line")
    }
  }

  private func position(of column: TableColumn, in names: [String]) throws(Problem) -> Int? {
    let places = names.indices.filter { names[$0] == column.name }
    if places.count > 1 {
      throw error(.duplicate, "two columns are named “\(column.name)”", remedy: "rename one of them")
    }
    if places.isEmpty && column.isRequired { throw missing(column, names) }
    return places.first
  }

  private func missing(_ column: TableColumn, _ names: [String]) -> Problem {
    let found = Excerpt.text(names.joined(separator: ", "))
    let unknown = names.filter { name in !wanted.contains { $0.name == name } }
    var remedy = "give this name to one of the columns"
    if names.count == 1, names[0].contains(";") || names[0].contains("\t") {
      remedy = "separate the columns with commas"
    } else if let near = Spelling.nearest(to: column.name, among: unknown) {
      remedy = "rename the column “\(near)” to “\(column.name)”"
    } else if names.allSatisfy({ DecimalText.number(Array($0.utf8)[...]) != nil }) {
      remedy = "the first line must contain the column names"
    }
    var error = error(.missing, "no column is named “\(column.name)”; found: \(found)", remedy: remedy)
    error.place.part = column.name
    return error
  }
}

extension TableReader {
  /// Returns a non-negative time in seconds; the field must not be empty.
  func time(_ column: Int) throws(Problem) -> TimeSpan {
    let seconds = try requiredNumber(column)
    guard seconds >= 0, let time = TimeSpan(seconds: seconds) else {
      throw error(
        .value, seconds < 0 ? "the time is negative" : "the time is too large", column: column,
        remedy: "write seconds since the start")
    }
    return time
  }

  /// Returns a non-negative number; nil when the field is empty.
  func amount(_ column: Int) throws(Problem) -> Double? {
    guard let number = try number(column) else { return nil }
    if number < 0 {
      throw error(
        .value, "the number is negative", column: column, remedy: "leave the field empty where it is unknown")
    }
    return number
  }

  /// Returns a non-negative integer; the field must not be empty.
  func count(_ column: Int) throws(Problem) -> Int64 {
    let number = try requiredNumber(column)
    guard number >= 0, let count = Int64(exactly: number) else {
      throw error(.value, "expected an integer of at least 0", column: column, remedy: "write it like 1500")
    }
    return count
  }
}

/// A column that the caller of a table reader requests.
struct TableColumn {
  var name: String
  var isRequired = false
}

/// Splits a line of a comma-separated table into fields; copies only quoted fields.
struct FieldSplitter {
  /// A field as a range of bytes: of the buffer for an unquoted field, of `scratch` for a quoted field. The
  /// range of a quoted field excludes the quotes.
  struct Field {
    /// The offset of the field in the buffer, for messages.
    var start: Int
    var range: Range<Int>
    var isScratch: Bool
  }

  private(set) var fields: [Field] = []
  private var scratch: [UInt8] = []

  /// Splits a line. Returns a message about a wrong quote; nil when all quotes are correct.
  mutating func split(_ buffer: [UInt8], _ line: Range<Int>) -> String? {
    fields.removeAll(keepingCapacity: true)
    scratch.removeAll(keepingCapacity: true)
    return buffer.withUnsafeBufferPointer { bytes in
      var index = line.lowerBound
      while true {
        if index < line.upperBound, bytes[index] == UInt8(ascii: "\"") {
          guard let end = unquote(bytes, from: index, line.upperBound) else {
            return "a quoted field is not closed"
          }
          index = end
          guard index == line.upperBound || bytes[index] == UInt8(ascii: ",") else {
            return "text follows a quoted field"
          }
        } else {
          let start = index
          while index < line.upperBound, bytes[index] != UInt8(ascii: ",") { index += 1 }
          fields.append(Field(start: start, range: trimmed(bytes, start..<index), isScratch: false))
        }
        if index == line.upperBound { return nil }
        index += 1
      }
    }
  }

  /// Reads a quoted field. Returns the offset after it, or nil when its closing quote is missing.
  private mutating func unquote(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ end: Int) -> Int? {
    let begin = scratch.count
    var index = start + 1
    while index < end {
      if bytes[index] == UInt8(ascii: "\"") {
        guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "\"") else {
          fields.append(Field(start: start, range: begin..<scratch.count, isScratch: true))
          return index + 1
        }
        index += 1
      }
      scratch.append(bytes[index])
      index += 1
    }
    return nil
  }

  private func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return start..<end
  }

  func isEmpty(_ field: Int) -> Bool { fields[field].range.isEmpty }

  func bytes(_ field: Int, in buffer: [UInt8]) -> ArraySlice<UInt8> {
    let field = fields[field]
    return field.isScratch ? scratch[field.range] : buffer[field.range]
  }

  func text(_ field: Int, in buffer: [UInt8]) -> String {
    String(decoding: bytes(field, in: buffer), as: UTF8.self)
  }
}
