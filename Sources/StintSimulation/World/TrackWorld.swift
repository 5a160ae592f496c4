public import StintFormats
public import StintModel
public import StintUnits

/// A world that follows a recorded way, point by point.
///
/// Between two points the phone moves evenly. A gap of more than a minute whose ends lie within 100 m is
/// standing still indoors, unless `skyInGaps` says otherwise; any other gap is moved through. While it moves, the
/// activity is the label's where the source has one, else what the speed suggests. Before the first point and
/// after the last the phone stands still under the open sky, without Wi-Fi.
public struct TrackWorld: WorldSource {
  /// Pulls the next point; nil at the end.
  public typealias Points = () throws(FormatError) -> TrackPoint?

  let start: Instant
  /// What satellites see of the phone while it stands still in a gap of the record.
  public var skyInGaps = Leg.Sky.indoors
  private let open: @Sendable () throws(FormatError) -> Points
  /// When the last point was recorded, since the first.
  public let duration: TimeSpan
  /// How many points there are.
  public let count: Int
  /// Where it begins.
  public let origin: Coordinate

  /// Reads the track through once, so that its errors show before a run. Nothing of it is kept in memory, and
  /// each view opens it again.
  ///
  /// - Parameters:
  ///   - start: the instant of time 0 of the track.
  ///   - name: what errors call the track.
  ///   - open: opens the track at its beginning.
  /// - Throws: what the reader throws, or that there is no point in it.
  public init(
    start: Instant, name: String = "track", open: @escaping @Sendable () throws(FormatError) -> Points
  ) throws(FormatError) {
    self.start = start
    self.open = open
    let next = try open()
    guard let first = try next() else { throw Self.empty(name) }
    var last = first
    var count = 1
    while let point = try next() {
      last = point
      count += 1
    }
    self.count = count
    self.duration = last.time
    self.origin = first.position
  }

  /// Follows points that are already in memory.
  ///
  /// - Throws: when there are none.
  public init(start: Instant, points: [TrackPoint], name: String = "track") throws(FormatError) {
    try self.init(start: start, name: name) { () throws(FormatError) -> Points in
      var place = 0
      return { () throws(FormatError) -> TrackPoint? in
        guard place < points.count else { return nil }
        place += 1
        return points[place - 1]
      }
    }
  }

  public func makeView() throws(FormatError) -> any WorldView {
    try TrackWorldView(start: start, points: open(), skyInGaps: skyInGaps)
  }
}
