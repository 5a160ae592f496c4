import StintFormats
import StintUnits

/// One message of gpsd, reduced to the fields that the plugin needs.
enum GpsdMessage: Hashable, Sendable {
  /// The greeting: gpsd's release and the major version of its protocol.
  case version(release: String, major: Int)
  /// The receivers that gpsd manages.
  case devices([GpsdDevice])
  case device(GpsdDevice)
  /// The answer to a watch request.
  case watch(isOn: Bool)
  /// A report of time, position and velocity (TPV).
  case position(GpsdPosition)
  /// A sky report (SKY): the horizontal dilution of precision.
  case sky(device: String?, dilution: Double?)
  /// A position that the receiver has stored.
  case stored(GpsdPosition)
  /// gpsd rejects a request.
  case error(String)
  /// Another message, with its class.
  case other(String)

  /// Parses a line.
  ///
  /// - Throws: a fault with the reason when the line is malformed.
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
      guard let device = GpsdDevice(value) else { throw GpsdFault("a line of the class DEVICE has no path") }
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
