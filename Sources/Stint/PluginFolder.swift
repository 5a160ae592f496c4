import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// Reads a folder of plugins: one subfolder per plugin, each with a `manifest.json`.
enum PluginFolder {
  /// Returns a device without code for each manifest in the folder.
  static func read(_ path: String) throws(Problem) -> [any DevicePlugin] {
    do {
      var plugins: [any DevicePlugin] = []
      for name in try Folder.folders(in: path) {
        let manifest = name + "/manifest.json"
        guard Folder.entry(at: manifest) == .file else { continue }
        plugins.append(ManifestOnly(try ManifestReader.manifest(path: manifest)))
      }
      return plugins
    } catch {
      throw error.coded(.badPlugin)
    }
  }
}

/// A device whose code is not linked. Opening the device fails with this reason.
private actor ManifestOnly: SensorPlugin, RadioPlugin, TransferCarrier, ProcessorPlugin, SourcePlugin {
  nonisolated let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  func open(_ port: DevicePort, at instant: Instant) throws(Problem) {
    throw Problem(
      .absent, device: manifest.device, cause: "its manifest was found, but its code is not linked",
      remedy: "link the plugin into the app and pass it to the bus")
  }

  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {}
  func handle(_ order: TransferOrder, at instant: Instant) {}
  func wakeProcessor(at instant: Instant) {}
  func read(at instant: Instant) {}
  func close(at instant: Instant) {}
}
