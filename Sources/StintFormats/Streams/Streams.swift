public import StintModel
public import StintUnits

/// One row of a recorded acceleration, gravity included, in metres a second squared.
public struct MotionPoint: Hashable, Sendable {
  /// Since the start of the record; never falls.
  public var time: TimeSpan
  public var x: Double
  public var y: Double
  public var z: Double
  /// How the carrier moved, in the words of the source.
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
  public init(_ lines: LineSource) throws(Problem) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(Problem) { try self.init(LineSource(path: path)) }

  /// The next point; nil at the end.
  public mutating func next() throws(Problem) -> MotionPoint? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let rejectionReason = assembly.rejectionReason(for: time) {
      throw table.error(.order, rejectionReason, column: 0, step: "sort the rows by time")
    }
    return MotionPoint(
      time: time, x: try table.requiredNumber(1), y: try table.requiredNumber(2),
      z: try table.requiredNumber(3),
      label: table.text(4))
  }
}

/// One thing that a policy did, in a form that other programs can price: a line of JSON.
public enum PlanLine: Hashable, Sendable {
  /// A position was taken, by `gnss`, `wifi` or `cell`.
  case fix(at: TimeSpan, by: String)
  /// A radio, `cellular` or `wifi`, carried what was waiting.
  case flush(at: TimeSpan, radio: String, bytesUp: Int64, bytesDown: Int64)
  /// Samples were fetched from a device.
  case read(at: TimeSpan, device: String, samples: Int)
  /// A device went into a power state.
  case state(at: TimeSpan, device: DeviceID, state: String)

  /// The line, without its end; times are seconds from the start.
  public var text: String {
    let value: JSONValue =
      switch self {
      case .fix(let time, let source): ["t_s": Self.seconds(time), "fix": JSONValue(source)]
      case .flush(let time, let radio, let up, let down):
        [
          "t_s": Self.seconds(time), "flush": JSONValue(radio), "bytes_up": JSONValue(up),
          "bytes_down": JSONValue(down),
        ]
      case .read(let time, let device, let samples):
        ["t_s": Self.seconds(time), "read": JSONValue(device), "samples": JSONValue(samples)]
      case .state(let time, let device, let state):
        ["t_s": Self.seconds(time), "device": JSONValue(device.path), "state": JSONValue(state)]
      }
    return JSONWriter.text(of: value)
  }

  private static func seconds(_ time: TimeSpan) -> JSONValue { JSONValue(time.seconds) }
}

/// One line of a recorded stretch of traffic: something to carry, and when it came up.
public struct TransferRecord: Hashable, Sendable {
  /// Since the start of the record; never falls.
  public var time: TimeSpan
  /// The deadline counts from `time`; zero means at once.
  public var transfer: Transfer
  /// What it was, in the words of the source: `chat`, `mail`.
  public var kind: String?

  /// Makes a record.
  public init(time: TimeSpan, transfer: Transfer, kind: String? = nil) {
    self.time = time
    self.transfer = transfer
    self.kind = kind
  }
}

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
  public init(_ lines: LineSource) throws(Problem) {
    table = try TableReader(lines, columns: Self.columns)
  }

  /// Opens a table; `-` is standard input.
  public init(path: String) throws(Problem) { try self.init(LineSource(path: path)) }

  /// The next transfer; nil at the end.
  public mutating func next() throws(Problem) -> TransferRecord? {
    guard try table.advance() else { return nil }
    let time = try table.time(0)
    if let rejectionReason = assembly.rejectionReason(for: time) {
      throw table.error(.order, rejectionReason, column: 0, step: "sort the rows by time")
    }
    let transfer = Transfer(
      bytesUp: try table.count(1), bytesDown: try table.count(2),
      deadline: table.isEmpty(3) ? nil : try table.time(3))
    return TransferRecord(time: time, transfer: transfer, kind: table.text(4))
  }
}
