import StintFormats
import StintUnits

/// A receiver in gpsd's list of devices.
struct GpsdDevice: Hashable, Sendable {
  var path: String
  var driver: String?
  /// Whether gpsd has opened the port of the receiver.
  var isActive: Bool
  /// The time between two fixes; nil when gpsd does not report a valid time.
  var cycle: TimeSpan?
  /// The shortest cycle that can be requested; nil when gpsd reports no value because the rate is fixed.
  var shortestCycle: TimeSpan?

  init?(_ value: JSONValue) {
    guard let path = value["path"]?.string else { return nil }
    self.path = path
    driver = value["driver"]?.string
    // While the port is closed, gpsd omits `activated` or sets it to 0. While the port is open, the value is
    // the time of its opening.
    switch value["activated"]?.content {
    case .integer(let number): isActive = number != 0
    case .number(let number): isActive = number != 0
    case .largeInteger: isActive = true
    case .string(let text): isActive = !text.isEmpty
    default: isActive = false
    }
    cycle = Self.span(value["cycle"]?.number)
    shortestCycle = Self.span(value["mincycle"]?.number)
  }

  /// Returns the time of a number of seconds; nil unless it is greater than zero and shorter than a day.
  private static func span(_ seconds: Double?) -> TimeSpan? {
    guard let seconds, seconds > 0, seconds < 86_400 else { return nil }
    return TimeSpan(nanoseconds: Int64((seconds * 1_000_000_000).rounded()))
  }
}
