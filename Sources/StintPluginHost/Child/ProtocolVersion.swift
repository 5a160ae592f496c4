import StintModel
import StintPluginKit

extension Manifest {
  /// Returns why a process with this version of the protocol cannot serve the device; nil when it can serve
  /// the device.
  ///
  /// - Parameter devices: the number of devices of the process.
  func versionFault(_ major: UInt16, _ minor: UInt16, devices: Int) -> FrameFault? {
    let spoken = "uses protocol version \(major).\(minor)"
    guard major == FrameLayout.major else {
      let age = major < FrameLayout.major ? "older" : "newer"
      return FrameFault(.version, "\(spoken), which is \(age) than \(FrameLayout.major).\(FrameLayout.minor)")
    }
    for need in needs(devices) where minor < need.minor {
      return FrameFault(.version, "\(spoken); \(need.what) \(major).\(need.minor)")
    }
    return nil
  }

  /// The properties of the device that need a minimum minor version, each with this version.
  private func needs(_ devices: Int) -> [(what: String, minor: UInt16)] {
    var needs: [(what: String, minor: UInt16)] = []
    if kind == .radio {
      needs.append(("a radio needs", FrameLayout.minorWithTransfers))
    } else if provides.contains(.carrier) {
      needs.append(("a carrier needs", FrameLayout.minorWithTransfers))
    }
    // The ledger charges the power of attributes, so the process must get their values.
    if attributes.contains(where: { $0.cost != nil }) {
      needs.append(("the power of its attributes needs", FrameLayout.minorWithAttributes))
    }
    if wideWidth > 0 {
      needs.append(("\(plainChannels.count) channels need", FrameLayout.minorWithWideBatches))
    }
    if !byteChannels.isEmpty { needs.append(("channels of bytes need", FrameLayout.minorWithBytes)) }
    if facts.contains(where: { $0.reading != nil }) {
      needs.append(("facts with “read” need", FrameLayout.minorWithReadings))
    }
    if facts.contains(where: \.isFamily) {
      needs.append(("families of facts need", FrameLayout.minorWithFamilies))
    }
    if devices > 1 { needs.append(("\(devices) devices need", FrameLayout.minorWithSeveralDevices)) }
    return needs
  }
}
