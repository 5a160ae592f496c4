import StintModel
public import StintUnits

/// Reads the values of one column of a CSV file; the column `t_s` has the times.
public struct ValueReader {
  private var table: TableReader
  private var checks = TrackChecks()

  /// Opens a table and reads the line of column names; `next()` reads the rows.
  ///
  /// - Throws: a problem when the file cannot be read or lacks one of the columns.
  public init(path: String, column: String) throws(Problem) {
    table = try TableReader(
      LineSource(path: path),
      columns: [TableColumn(name: "t_s", isRequired: true), TableColumn(name: column, isRequired: true)])
  }

  /// Returns the next row with its text as in the file; nil at the end. An empty field has the text
  /// `unknown`.
  ///
  /// - Throws: a problem with its location when a row or its time is invalid, or when the times decrease.
  public mutating func next() throws(Problem) -> (time: TimeSpan, text: String)? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let rejectionReason = checks.rejectionReason(for: time) {
      throw table.error(.order, rejectionReason, column: 0, remedy: "sort the rows by time")
    }
    return (time, table.text(1) ?? "unknown")
  }

  /// Makes a problem at the value of the current row.
  public func problem(_ cause: String, remedy: String) -> Problem {
    table.error(.value, cause, column: 1, remedy: remedy)
  }
}
