import StintFormats
import StintUnits

/// A receiver of gpsd.
struct GpsdDevice: Hashable, Sendable {
  var path: String
  var driver: String?
  /// False when gpsd says that the port was closed or went away.
  var isActive: Bool
  /// The time between two fixes.
  var cycle: TimeSpan?
  /// The shortest that can be asked for; nil where the rate cannot be changed.
  var shortestCycle: TimeSpan?

  init?(_ value: JSONValue) {
    guard let path = value["path"]?.string else { return nil }
    self.path = path
    driver = value["driver"]?.string
    // Left out or 0 for a port that is closed; else the time of its opening.
    switch value["activated"]?.content {
    case .integer(let number): isActive = number != 0
    case .number(let number): isActive = number != 0
    case .string(let text): isActive = !text.isEmpty
    default: isActive = false
    }
    cycle = Self.span(value["cycle"]?.number)
    shortestCycle = Self.span(value["mincycle"]?.number)
  }

  private static func span(_ seconds: Double?) -> TimeSpan? {
    guard let seconds, seconds > 0, seconds < 86_400 else { return nil }
    return TimeSpan(nanoseconds: Int64((seconds * 1_000_000_000).rounded()))
  }
}
