import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// The devices of a site: made once, by plugins that are linked into the program or run
/// in processes of their own.
struct SiteDevices: Sendable {
  /// The file's name, for messages.
  let path: String
  /// What time it is, for the run and for the plugins.
  let clock: PacedClock
  let plugins: [any DevicePlugin]
  /// Those that are not linked in.
  var supervised: [any SupervisedPlugin] { plugins.compactMap { $0 as? any SupervisedPlugin } }
  /// Sorted by device.
  let manifestTexts: [String]

  /// Makes the devices; nothing is opened, and no time passes before the run but that of the clock.
  init(
    _ site: Site, path: String, linked: [LinkedPlugin], processes: ChildPrograms, loop: LoopExecutor
  ) throws(ToolError) {
    self.path = path
    let clock = PacedClock(start: SystemClock.wall(), anchor: SystemClock.monotonic())
    self.clock = clock
    var devices: [LinkedPlugin.Device] = []
    for (index, entry) in site.plugins.enumerated() {
      if entry.descriptor != nil {
        let program = try processes.entry(entry, place: "\(path): plugins[\(index)]")
        let (manifest, text) = try ChildPrograms.manifest(program)
        guard manifest.kind == .sensor || manifest.kind == .source else {
          throw ToolError(
            .content, place: "\(path): plugins[\(index)]",
            cause:
              "\(manifest.device) is a \(manifest.kind.rawValue), which only a plugin that is linked in can be yet",
            nextStep: "leave it out")
        }
        let child = ChildPrograms.program(program, entry, manifest)
        let now: LinkedPlugin.Clock = { clock.instant(at: SystemClock.monotonic()) }
        let plugin: any DevicePlugin =
          entry.isLibrary
          ? LibraryPlugin(child, on: loop, clock: now) : ChildPlugin(child, on: loop, clock: now)
        devices.append(LinkedPlugin.Device(plugin, manifestText: text))
        continue
      }
      guard let plugin = linked.first(where: { $0.form.name == entry.name }) else { continue }
      do throws(PluginError) {
        devices += try plugin.make(entry.settings) { clock.instant(at: SystemClock.monotonic()) }
      } catch {
        throw ToolError(
          .content, place: "\(path): plugins[\(index)]", cause: error.cause, nextStep: error.nextStep)
      }
    }
    devices.sort { $0.plugin.manifest.device < $1.plugin.manifest.device }
    for (left, right) in zip(devices, devices.dropFirst())
    where left.plugin.manifest.device == right.plugin.manifest.device {
      throw ToolError(
        .content, place: "\(path): plugins", cause: "two plugins are \(left.plugin.manifest.device)",
        nextStep: "keep one of them")
    }
    plugins = devices.map(\.plugin)
    manifestTexts = devices.map(\.manifestText)
  }
}
