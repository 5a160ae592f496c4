public import StintTracks
public import StintUnits

/// Accelerations that a real sensor recorded and that a simulated sensor measures again.
///
/// The recording is first read completely, so that its errors appear before a run. The recording is not kept
/// in memory; each simulated sensor opens it again.
public struct MotionRecording: Sendable {
  /// A function that returns the next row; nil at the end.
  public typealias Points = () throws(Problem) -> MotionPoint?

  /// The time of the last row, since the start of the recording.
  public let duration: TimeSpan
  /// The number of rows.
  public let count: Int
  private let open: @Sendable () throws(Problem) -> Points

  /// Reads a recording completely to check it.
  ///
  /// - Parameters:
  ///   - name: the name of the recording in errors.
  ///   - open: opens the recording at its beginning.
  /// - Throws: the errors of the reader, or a problem when there are no rows.
  public init(
    name: String = "recording", open: @escaping @Sendable () throws(Problem) -> Points
  ) throws(Problem) {
    let next = try open()
    var last: MotionPoint?
    var count = 0
    while let point = try next() {
      last = point
      count += 1
    }
    guard let last else {
      throw Problem(
        .empty, place: name, cause: "the recording has no rows", remedy: "give one with at least one row")
    }
    self.open = open
    self.count = count
    duration = last.time
  }

  /// Makes a recording of rows in memory.
  ///
  /// - Throws: a problem when there are no rows.
  public init(points: [MotionPoint], name: String = "recording") throws(Problem) {
    try self.init(name: name) { () throws(Problem) -> Points in
      var place = 0
      return { () throws(Problem) -> MotionPoint? in
        guard place < points.count else { return nil }
        place += 1
        return points[place - 1]
      }
    }
  }

  /// Makes a recording from a CSV table with the columns `t_s,ax,ay,az`. Rows of standard input (`-`), which
  /// cannot be opened twice, stay in memory.
  ///
  /// - Throws: a problem of the table with its location, or a problem when the table has no rows.
  public init(path: String) throws(Problem) {
    if path == "-" {
      var reader = try MotionReader(path: path)
      var points: [MotionPoint] = []
      while let point = try reader.next() { points.append(point) }
      try self.init(points: points, name: "standard input")
      return
    }
    try self.init(name: path) { () throws(Problem) -> Points in
      var reader = try MotionReader(path: path)
      return { () throws(Problem) -> MotionPoint? in try reader.next() }
    }
  }

  func points() throws(Problem) -> Points { try open() }
}
