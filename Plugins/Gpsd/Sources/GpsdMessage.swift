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
    do throws(Problem) {
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
