public import StintModel
import StintTracks
public import StintUnits

/// A world that follows a recorded track, point by point.
///
/// Between two points the phone moves at constant speed. A gap of more than a minute counts as a rest when
/// its ends are within 100 m of each other. The phone is then still, and its sky is `skyInGaps`. During other
/// gaps the phone moves. Below 0.3 m/s, the activity of a movement is `still`. From 0.3 m/s on, the activity
/// is the label of the point at which the movement begins. Without a known label, the activity follows from
/// the speed. Before the first point and after the last point, the phone rests under the open sky. There is
/// never Wi-Fi.
public struct TrackWorld: WorldSource {
  /// A function that returns the next point; nil at the end.
  public typealias Points = () throws(Problem) -> TrackPoint?

  let start: Instant
  /// The sky while the phone is still in a gap of the recording; indoors by default.
  public var skyInGaps = Leg.Sky.indoors
  private let open: @Sendable () throws(Problem) -> Points
  /// The time of the last point, counted from time 0 of the track.
  public let duration: TimeSpan
  /// The number of points.
  public let count: Int
  /// The position of the first point.
  public let origin: Coordinate

  /// Reads the track completely once, so that its errors appear before a run. The track is not kept in
  /// memory; each view opens it again.
  ///
  /// - Parameters:
  ///   - start: the instant of time 0 of the track.
  ///   - name: the name of the track in errors.
  ///   - open: opens the track at its beginning.
  /// - Throws: the errors of the reader, or a problem when there are no points.
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

  /// Makes a world of points in memory.
  ///
  /// - Throws: a problem when there are no points.
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
  /// Returns the activity of a movement at a speed in metres per second.
  ///
  /// Below 0.3 m/s, the activity is `still`. From 0.3 m/s on, it is the activity of the label, whatever the
  /// speed: a slow bus remains automotive. Without a known label, the activity follows from the speed.
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
  /// Returns the problem of a track without points.
  static func empty(_ name: String) -> Problem {
    Problem(
      .empty, place: name, cause: "the track has no points", remedy: "give a track with at least one point")
  }
}

extension TrackWorld {
  /// Makes a world of a track in CSV, GPX or NMEA format.
  ///
  /// A file is read completely once and opened again by each view, so its length does not affect the memory
  /// used. Points of standard input (`-`), which cannot be opened twice, stay in memory.
  ///
  /// - Throws: a problem of the track with its location, or a problem when it has no points.
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
  /// The state between the two points, with the position of the first point.
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

  /// Returns the next point; nil at the end or after a read error.
  private mutating func nextPoint() -> TrackPoint? {
    guard let points else { return nil }
    do {
      if let point = try points() { return point }
    } catch {
      // The track was read completely before the run, so the file has changed since then. The points that
      // were read before the error remain in use.
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
