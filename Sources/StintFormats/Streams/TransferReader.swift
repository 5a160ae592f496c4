import StintModel
import StintUnits

/// Reads traffic from a table `t_s,bytes_up,bytes_down,deadline_s,kind`, row by row; memory stays flat.
///
/// `deadline_s` and `kind` may be absent or empty: a transfer without a deadline may wait for ever.
public struct TransferReader {
  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "bytes_up", isRequired: true),
    TableColumn(name: "bytes_down", isRequired: true), TableColumn(name: "deadline_s"),
    TableColumn(name: "kind"),
  ]

  private var table: TableReader
  private var assembly = TrackAssembly()

  /// Reads the first line; the rows come with `next()`.
  public init(_ lines: LineSource) throws(FormatError) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(FormatError) { try self.init(LineSource(path: path)) }

  /// The next transfer; nil at the end.
  public mutating func next() throws(FormatError) -> TransferRecord? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let objection = assembly.objection(to: time) {
      throw table.error(.order, objection, column: 0, step: "sort the rows by time")
    }
    let transfer = Transfer(
      bytesUp: try table.count(1), bytesDown: try table.count(2),
      deadline: table.isEmpty(3) ? nil : try table.time(3))
    return TransferRecord(time: time, transfer: transfer, kind: table.text(4))
  }
}
