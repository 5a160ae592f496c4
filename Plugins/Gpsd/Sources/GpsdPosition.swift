import StintFormats

/// What one report says of a position; each part may be missing.
struct GpsdPosition: Hashable, Sendable {
  var device: String?
  /// 0 and 1 are no fix, 2 has no height, 3 has.
  var mode: Int
  /// The receiver's own time, as text: its date may be wrong by 1,024 weeks, so it only tells reports apart.
  var time: String?
  var latitude: Double?
  var longitude: Double?
  /// Metres.
  var radius: Double?
  /// Metres a second.
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

  /// The estimate of the horizontal error, else what both axes make of it, else what a stored position has.
  private static func radius(_ value: JSONValue) -> Double? {
    if let radius = value["eph"]?.number ?? value["hAcc"]?.number { return radius }
    guard let east = value["epx"]?.number, let north = value["epy"]?.number else { return nil }
    return (east * east + north * north).squareRoot()
  }
}
