import StintFormats
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// A folder of plugins: one folder each, with a `manifest.json`.
enum PluginFolder {
  /// The devices of the folder's manifests, without code.
  static func read(_ path: String) throws(BusError) -> [any DevicePlugin] {
    do {
      var plugins: [any DevicePlugin] = []
      for name in try Folder.folders(in: path) {
        let manifest = name + "/manifest.json"
        guard Folder.entry(at: manifest) == .file else { continue }
        plugins.append(ManifestOnly(try ManifestReader.manifest(path: manifest)))
      }
      return plugins
    } catch {
      throw BusError(.badPlugin, "\(error)")
    }
  }
}

/// A device of which only the manifest is known: it cannot be opened, and says why.
private actor ManifestOnly: SensorPlugin, RadioPlugin, ProcessorPlugin, SourcePlugin {
  nonisolated let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  func open(_ port: DevicePort, at instant: Instant) throws(PluginError) {
    throw PluginError(
      .absent, device: manifest.device, cause: "only its manifest is here, not its code",
      nextStep: "link the plugin into the app and hand it to the bus")
  }

  func apply(_ setting: Setting, at instant: Instant) {}
  func wake(at instant: Instant, horizon: Instant) {}
  func drain(at instant: Instant, reason: DeliveryReason) {}
  func startTransfers(_ transfers: [AssignedTransfer], at instant: Instant) {}
  func wakeProcessor(at instant: Instant) {}
  func read(at instant: Instant) {}
  func close(at instant: Instant) {}
}
