import StintUnits

/// Reads accelerations from a table `t_s,ax,ay,az,label`, row by row; memory stays flat.
///
/// Further columns, such as those of a gyroscope, are passed over.
public struct MotionReader {
  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "ax", isRequired: true),
    TableColumn(name: "ay", isRequired: true), TableColumn(name: "az", isRequired: true),
    TableColumn(name: "label"),
  ]

  private var table: TableReader
  private var assembly = TrackAssembly()

  /// Reads the first line; the rows come with `next()`.
  public init(_ lines: LineSource) throws(FormatError) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(FormatError) { try self.init(LineSource(path: path)) }

  /// The next point; nil at the end.
  public mutating func next() throws(FormatError) -> MotionPoint? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let objection = assembly.objection(to: time) {
      throw table.error(.order, objection, column: 0, step: "sort the rows by time")
    }
    return MotionPoint(
      time: time, x: try table.requiredNumber(1), y: try table.requiredNumber(2),
      z: try table.requiredNumber(3),
      label: table.text(4))
  }
}
