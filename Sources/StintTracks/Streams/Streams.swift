public import StintModel
public import StintUnits

/// One recorded acceleration, including gravity, in metres per second squared.
public struct MotionPoint: Hashable, Sendable {
  /// The time since the start of the recording; never decreases.
  public var time: TimeSpan
  /// The acceleration along the x axis of the device.
  public var x: Double
  /// The acceleration along the y axis of the device.
  public var y: Double
  /// The acceleration along the z axis of the device.
  public var z: Double
  /// The activity of the carrier, as the recording labels it; nil without a label.
  public var label: String?

  /// Makes a point.
  public init(time: TimeSpan, x: Double, y: Double, z: Double, label: String? = nil) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
    self.label = label
  }
}

/// Reads accelerations from a table `t_s,ax,ay,az,label`, row by row, in constant memory.
///
/// Other columns, such as those of a gyroscope, are ignored.
public struct MotionReader {
  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "ax", isRequired: true),
    TableColumn(name: "ay", isRequired: true), TableColumn(name: "az", isRequired: true),
    TableColumn(name: "label"),
  ]

  private var table: TableReader
  private var checks = TrackChecks()

  /// Reads the line of column names; `next()` reads the rows.
  public init(_ lines: LineSource) throws(Problem) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(Problem) { try self.init(LineSource(path: path)) }

  /// Returns the next point; nil at the end.
  public mutating func next() throws(Problem) -> MotionPoint? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let rejectionReason = checks.rejectionReason(for: time) {
      throw table.error(.order, rejectionReason, column: 0, remedy: "sort the rows by time")
    }
    return MotionPoint(
      time: time, x: try table.requiredNumber(1), y: try table.requiredNumber(2),
      z: try table.requiredNumber(3),
      label: table.text(4))
  }
}

/// One row of recorded traffic: a transfer and its time.
public struct TransferRecord: Hashable, Sendable {
  /// The time since the start of the recording; never decreases.
  public var time: TimeSpan
  /// The transfer. Its deadline is relative to `time`; a deadline of zero means immediately.
  public var transfer: Transfer
  /// The kind of traffic, as the recording labels it: `chat`, `mail`. Nil without a label.
  public var kind: String?

  /// Makes a record.
  public init(time: TimeSpan, transfer: Transfer, kind: String? = nil) {
    self.time = time
    self.transfer = transfer
    self.kind = kind
  }
}

/// Reads traffic from a table `t_s,bytes_up,bytes_down,deadline_s,kind`, row by row, in constant memory.
///
/// `deadline_s` and `kind` may be absent or empty. A transfer without a deadline may wait without limit.
public struct TransferReader {
  private static let columns = [
    TableColumn(name: "t_s", isRequired: true), TableColumn(name: "bytes_up", isRequired: true),
    TableColumn(name: "bytes_down", isRequired: true), TableColumn(name: "deadline_s"),
    TableColumn(name: "kind"),
  ]

  private var table: TableReader
  private var checks = TrackChecks()

  /// Reads the line of column names; `next()` reads the rows.
  public init(_ lines: LineSource) throws(Problem) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(Problem) { try self.init(LineSource(path: path)) }

  /// Returns the next transfer; nil at the end.
  public mutating func next() throws(Problem) -> TransferRecord? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let rejectionReason = checks.rejectionReason(for: time) {
      throw table.error(.order, rejectionReason, column: 0, remedy: "sort the rows by time")
    }
    let transfer = Transfer(
      bytesUp: try table.count(1), bytesDown: try table.count(2),
      deadline: table.isEmpty(3) ? nil : try table.time(3))
    return TransferRecord(time: time, transfer: transfer, kind: table.text(4))
  }
}
