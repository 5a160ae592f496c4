import StintModel
import StintUnits

/// What the sentences of one moment say together.
struct Epoch {
  /// Since midnight, UTC.
  var timeOfDay: TimeSpan
  /// Days since 1970-01-01, where a sentence says so.
  var day: Int?
  var position: Coordinate?
  var altitude: Double?
  var speed: Double?
  /// Whether a sentence says that there is no fix.
  var isVoid = false
  /// The line of the first sentence.
  var place: FormatPlace

  /// Adds what another sentence of the same moment says.
  mutating func merge(_ other: Epoch) {
    day = day ?? other.day
    position = position ?? other.position
    altitude = altitude ?? other.altitude
    speed = speed ?? other.speed
    isVoid = isVoid || other.isVoid
  }
}
