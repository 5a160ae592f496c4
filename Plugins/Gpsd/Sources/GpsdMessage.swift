import StintFormats
import StintUnits

/// One line of gpsd, as far as it matters here.
enum GpsdMessage: Hashable, Sendable {
  /// The greeting: gpsd's release and the major version of its protocol.
  case version(release: String, major: Int)
  /// What receivers gpsd has.
  case devices([GpsdDevice])
  case device(GpsdDevice)
  /// The answer to a watch request.
  case watch(isOn: Bool)
  /// Time, position, velocity.
  case position(GpsdPosition)
  /// What is known of the sky: the horizontal dilution of precision.
  case sky(device: String?, dilution: Double?)
  /// A position that the receiver had stored.
  case stored(GpsdPosition)
  /// gpsd refuses a request.
  case error(String)
  /// Something else that gpsd says, by its class.
  case other(String)

  /// Reads a line.
  ///
  /// Throws a sentence that says what is wrong with it.
  init(line: [UInt8]) throws(GpsdFault) {
    let value: JSONValue
    do throws(FormatError) {
      value = try JSONReader.value(of: line, source: "gpsd", allowsRepeats: true)
    } catch {
      throw GpsdFault("a line is not JSON: \(error.cause)")
    }
    guard let name = value["class"]?.string else { throw GpsdFault("a line has no class") }
    switch name {
    case "VERSION":
      guard let major = value["proto_major"]?.integer else {
        throw GpsdFault("its greeting has no protocol version")
      }
      self = .version(release: value["release"]?.string ?? "?", major: Int(clamping: major))
    case "DEVICES": self = .devices((value["devices"]?.items ?? []).compactMap { GpsdDevice($0) })
    case "DEVICE":
      guard let device = GpsdDevice(value) else { throw GpsdFault("a DEVICE has no path") }
      self = .device(device)
    case "WATCH": self = .watch(isOn: value["enable"]?.boolean ?? false)
    case "TPV": self = .position(GpsdPosition(value))
    case "SKY": self = .sky(device: value["device"]?.string, dilution: value["hdop"]?.number)
    case "LOG": self = .stored(GpsdPosition(value))
    case "ERROR": self = .error(value["message"]?.string ?? "no reason given")
    default: self = .other(name)
    }
  }
}

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

/// What is wrong, as one sentence without a full stop.
struct GpsdFault: Error, Hashable, Sendable {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
