public import StintFormats
public import StintUnits

/// Accelerations that a real sensor wrote down, for a simulated one to measure again.
///
/// It is read through once, so that whatever is wrong with it shows before a run; nothing of it is kept in
/// memory, and each player opens it again.
public struct MotionRecording: Sendable {
  /// Pulls the next row; nil at the end.
  public typealias Points = () throws(Problem) -> MotionPoint?

  /// When the last row was recorded, since the start.
  public let duration: TimeSpan
  /// How many rows there are.
  public let count: Int
  private let open: @Sendable () throws(Problem) -> Points

  /// Reads a recording through.
  ///
  /// - Parameters:
  ///   - name: what errors call it.
  ///   - open: opens it at its beginning.
  /// - Throws: what the reader throws, or that there is no row in it.
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
        .empty, place: name, cause: "there is no row in it", remedy: "give a recording with at least one row")
    }
    self.open = open
    self.count = count
    duration = last.time
  }

  /// Plays rows that are in memory already.
  ///
  /// - Throws: when there are none.
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

  /// Plays a table `t_s,ax,ay,az`; the rows of standard input (`-`), which cannot be opened twice, are kept.
  ///
  /// - Throws: what is wrong with the table, with its place, or that there is no row in it.
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
