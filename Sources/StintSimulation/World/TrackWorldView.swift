import StintFormats
import StintModel
import StintUnits

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
  ) throws(FormatError) {
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
