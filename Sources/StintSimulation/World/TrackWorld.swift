import StintFormats
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
  public typealias Points = () throws(Problem) -> TrackPoint?

  let start: Instant
  /// What satellites see of the phone while it stands still in a gap of the record.
  public var skyInGaps = Leg.Sky.indoors
  private let open: @Sendable () throws(Problem) -> Points
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
    start: Instant, name: String = "track", open: @escaping @Sendable () throws(Problem) -> Points
  ) throws(Problem) {
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
  public init(start: Instant, points: [TrackPoint], name: String = "track") throws(Problem) {
    try self.init(start: start, name: name) { () throws(Problem) -> Points in
      var place = 0
      return { () throws(Problem) -> TrackPoint? in
        guard place < points.count else { return nil }
        place += 1
        return points[place - 1]
      }
    }
  }

  public func makeView() throws(Problem) -> any WorldView {
    try TrackWorldView(start: start, points: open(), skyInGaps: skyInGaps)
  }
}

extension TrackWorld {
  /// The activity that a label, or else a speed in metres a second, suggests.
  ///
  /// A label names the means of travel: a bus at its stop is still all the same.
  static func activity(label: String?, speed: Double) -> Activity {
    if speed < 0.3 { return .still }
    if let label, let activity = labelled[label] { return activity }
    switch speed {
    case ..<2.2: return .walking
    case ..<4.5: return .running
    case ..<8: return .cycling
    default: return .automotive
    }
  }

  private static let labelled: [String: Activity] = [
    "still": .still, "walk": .walking, "walking": .walking, "hike": .walking, "run": .running,
    "running": .running, "bike": .cycling, "cycling": .cycling, "car": .automotive, "drive": .automotive,
    "bus": .automotive, "train": .automotive, "taxi": .automotive, "automotive": .automotive,
  ]
}

extension TrackWorld {
  /// What is wrong with a track without a point.
  static func empty(_ name: String) -> Problem {
    Problem(
      .empty, place: name, cause: "there is no point in it", remedy: "give a track with at least one point")
  }
}

extension TrackWorld {
  /// Follows a recorded track: CSV, GPX or NMEA.
  ///
  /// A file is read through once and opened again by each view, so its length costs no memory. Standard input
  /// (`-`) cannot be opened twice; its points are kept.
  ///
  /// - Throws: what is wrong with the track, with its place, or that there is no point in it.
  public init(start: Instant, path: String) throws(Problem) {
    if path == "-" {
      try self.init(start: start, points: Self.points(path: path), name: "standard input")
      return
    }
    try self.init(start: start, name: path) { () throws(Problem) -> Points in
      var reader = try TrackReader(path: path)
      return { () throws(Problem) -> TrackPoint? in try reader.next() }
    }
  }

  private static func points(path: String) throws(Problem) -> [TrackPoint] {
    var reader = try TrackReader(path: path)
    var points: [TrackPoint] = []
    while let point = try reader.next() { points.append(point) }
    return points
  }
}

/// Follows a track with two points in memory.
struct TrackWorldView: WorldView {
  private let start: Instant
  private let skyInGaps: Leg.Sky
  private var points: TrackWorld.Points?
  private var from: TrackPoint
  private var to: TrackPoint?
  /// What holds between the two points, with the position of the first.
  private var piece: WorldState

  init(
    start: Instant, points: @escaping TrackWorld.Points, skyInGaps: Leg.Sky
  ) throws(Problem) {
    guard let first = try points() else { throw TrackWorld.empty("track") }
    self.start = start
    self.skyInGaps = skyInGaps
    self.points = points
    from = first
    to = try points()
    piece = WorldState(position: first.position)
    piece = piece(from: from, to: to)
  }

  mutating func state(at instant: Instant) -> WorldState {
    advance(to: instant)
    let time = instant - start
    guard let to, time >= from.time else { return WorldState(position: from.position) }
    var state = piece
    let share = (time - from.time).seconds / (to.time - from.time).seconds
    state.position = from.position.toward(to.position, fraction: share)
    return state
  }

  mutating func nextCoverageChange(after instant: Instant) -> Instant? {
    advance(to: instant)
    guard let to else { return nil }
    return instant - start < from.time ? start + from.time : start + to.time
  }

  private mutating func advance(to instant: Instant) {
    let time = instant - start
    while let next = to, next.time <= time {
      from = next
      to = nextPoint()
      piece = piece(from: from, to: to)
    }
  }

  /// The next point; the track ends where it can be read no further, for it was read through before.
  private mutating func nextPoint() -> TrackPoint? {
    guard let points else { return nil }
    do {
      if let point = try points() { return point }
    } catch {
      // The source changed since it was read through: what came up to here is what there is.
    }
    self.points = nil
    return nil
  }

  private func piece(from: TrackPoint, to: TrackPoint?) -> WorldState {
    var state = WorldState(position: from.position)
    guard let to, to.time > from.time else { return state }
    let length = from.position.distance(to: to.position)
    let time = to.time - from.time
    if time > .seconds(60), length <= 100 {
      state.sky = skyInGaps
      return state
    }
    state.speed = length / time.seconds
    state.activity = TrackWorld.activity(label: from.label, speed: state.speed)
    return state
  }
}
