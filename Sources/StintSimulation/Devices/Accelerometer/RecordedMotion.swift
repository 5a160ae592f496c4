import StintFormats
import StintUnits

/// Measures a recording again, at whatever rate is asked for: at each instant what the recorder measured last.
///
/// Before the first row it is that row; after the last one the phone lies still, face up.
struct RecordedMotion {
  private static let rest = SIMD3(0, 0, 9.80665)

  private let start: Instant
  private var points: MotionRecording.Points?
  private var row: MotionPoint
  private var following: MotionPoint?

  /// Opens the recording; its time 0 is `start`.
  init(_ recording: MotionRecording, start: Instant) throws(FormatError) {
    self.start = start
    let points = try recording.points()
    self.points = points
    // There is a row: the recording was read through.
    row = try points() ?? MotionPoint(time: .zero, x: 0, y: 0, z: 0)
    following = try points()
  }

  /// The acceleration at an instant that is not before any that was asked for earlier.
  mutating func sample(at instant: Instant) -> SIMD3<Double> {
    let time = instant - start
    while let next = following, next.time <= time {
      row = next
      following = nextRow()
    }
    guard following != nil || time <= row.time else { return Self.rest }
    return SIMD3(row.x, row.y, row.z)
  }

  /// The next row; the recording ends where it can be read no further, for it was read through before.
  private mutating func nextRow() -> MotionPoint? {
    guard let points else { return nil }
    do {
      if let point = try points() { return point }
    } catch {
      // The file changed since it was read through: what came up to here is what there is.
    }
    self.points = nil
    return nil
  }
}
