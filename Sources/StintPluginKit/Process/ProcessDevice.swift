import StintModel
import StintUnits

/// A device of a plugin's process, with the state that its messages depend on.
struct ProcessDevice {
  let manifest: Manifest
  let port: DevicePort
  /// For each fact of the manifest: the factor from the unit in the frames to the base unit.
  let scales: [Double]
  /// The plugin; nil before `open`.
  var plugin: (any DevicePlugin)?
  /// The last reported power state and sample period.
  var state: (index: Int, period: TimeSpan?)
  /// The transfers that the plugin has not answered.
  var transfers: Set<DemandID> = []

  init(_ manifest: Manifest, port: DevicePort) throws(FrameFault) {
    self.manifest = manifest
    self.port = port
    scales = try FrameManifest(of: manifest).scales(for: manifest)
    state = (manifest.initial, nil)
  }
}
