import StintFormats

/// The position of one report; each field may be missing.
struct GpsdPosition: Hashable, Sendable {
  var device: String?
  /// gpsd's mode: 0 and 1 mean no fix, 2 a fix without height, 3 a fix with height.
  var mode: Int
  /// The receiver's own time, as a string. Its date may be wrong by 1,024 weeks, so the time only
  /// distinguishes reports and gives the age of stored positions.
  var time: String?
  var latitude: Double?
  var longitude: Double?
  /// The horizontal error in metres.
  var radius: Double?
  /// The speed in metres per second.
  var speed: Double?

  init(_ value: JSONValue) {
    device = value["device"]?.string
    mode = Int(clamping: value["mode"]?.integer ?? 0)
    time = value["time"]?.string
    latitude = value["lat"]?.number
    longitude = value["lon"]?.number
    radius = Self.radius(value)
    speed = value["speed"]?.number ?? value["gSpeed"]?.number
  }

  /// Returns the estimated horizontal error, also for a stored position. When gpsd does not report this
  /// error, returns the combined error of both axes. Nil when gpsd does not report the errors of the axes
  /// either.
  private static func radius(_ value: JSONValue) -> Double? {
    if let radius = value["eph"]?.number ?? value["hAcc"]?.number { return radius }
    guard let east = value["epx"]?.number, let north = value["epy"]?.number else { return nil }
    return (east * east + north * north).squareRoot()
  }
}
