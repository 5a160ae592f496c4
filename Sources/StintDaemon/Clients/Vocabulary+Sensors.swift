import StintFormats
package import StintModel
import StintServices
package import StintUnits

/// The check of the device in a request for samples, for apps and for programs at the socket.
extension Vocabulary {
  /// The names of all devices, for messages.
  package var deviceNames: String {
    manifests.isEmpty ? "no device" : manifests.map(\.device.path).joined(separator: ", ")
  }

  /// Returns the device if it has samples.
  ///
  /// - Throws: `Problem.Code.noSuchDevice` when there is no such device, or when it has no samples.
  package func sensor(named device: DeviceID) throws(Problem) -> DeviceID {
    guard let manifest = manifest(device) else {
      throw Problem(
        .noSuchDevice, cause: "no device is called “\(Excerpt.text(device.path))”",
        remedy: "use one of \(deviceNames)")
    }
    guard manifest.kind == .sensor else {
      let sensors = manifests.filter { $0.kind == .sensor }.map(\.device.path).joined(separator: ", ")
      throw Problem(
        .noSuchDevice, cause: "\(device) has no samples; it is a \(manifest.kind.rawValue)",
        remedy: sensors.isEmpty ? "add a sensor" : "use one of \(sensors)")
    }
    return device
  }
}
