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
  let clock: WallClock
  let plugins: [any DevicePlugin]
  /// Those that are not linked in.
  var supervised: [any SupervisedPlugin] { plugins.compactMap { $0 as? any SupervisedPlugin } }
  /// Sorted by device.
  let manifestTexts: [String]
  /// The site as it was read, and what may be read again while the run goes on.
  let site: Site
  private let linked: [LinkedPlugin]

  /// Makes the devices; nothing is opened, and no time passes before the run but that of the clock.
  init(
    _ site: Site, path: String, linked: [LinkedPlugin], processes: ChildPrograms, loop: LoopExecutor,
    timeZone: TimeZoneRules
  ) throws(Problem) {
    self.path = path
    self.site = site
    self.linked = linked
    let read = SystemClock.both()
    let clock = WallClock(timeZone, clock: RunClock(start: read.wall, anchor: read.steady))
    self.clock = clock
    var devices: [LinkedPlugin.Device] = []
    for (index, entry) in site.plugins.enumerated() {
      if entry.descriptor != nil {
        let program = try processes.entry(entry, place: "\(path): plugins[\(index)]")
        let (manifest, text) = try ChildPrograms.manifest(program)
        guard manifest.kind == .sensor || manifest.kind == .source else {
          throw Problem(
            .content, place: "\(path): plugins[\(index)]",
            cause:
              "\(manifest.device) is a \(manifest.kind.rawValue), which only a plugin that is linked in can be yet",
            remedy: "leave it out")
        }
        let child = ChildPrograms.program(program, entry, manifest)
        let now: LinkedPlugin.Clock = { clock.now }
        let plugin: any DevicePlugin =
          entry.isLibrary
          ? LibraryPlugin(child, on: loop, clock: now) : ChildPlugin(child, on: loop, clock: now)
        devices.append(LinkedPlugin.Device(plugin, manifestText: text))
        continue
      }
      guard let plugin = linked.first(where: { $0.form.name == entry.name }) else { continue }
      do throws(PluginError) {
        devices += try plugin.make(entry.settings) { clock.now }
      } catch {
        throw Problem(
          .content, place: "\(path): plugins[\(index)]", cause: error.cause, remedy: error.nextStep)
      }
    }
    devices.sort { $0.plugin.manifest.device < $1.plugin.manifest.device }
    for (left, right) in zip(devices, devices.dropFirst())
    where left.plugin.manifest.device == right.plugin.manifest.device {
      throw Problem(
        .content, place: "\(path): plugins", cause: "two plugins are \(left.plugin.manifest.device)",
        remedy: "keep one of them")
    }
    plugins = devices.map(\.plugin)
    manifestTexts = devices.map(\.manifestText)
  }

  /// The plugin in a process of its own that is this device.
  func child(_ device: DeviceID) -> ChildPlugin? {
    plugins.lazy.compactMap { $0 as? ChildPlugin }.first { $0.manifest.device == device }
  }

  /// The plugins in processes of their own that the site file names now, by device, with what each is started as.
  func named() throws -> (site: Site, children: [DeviceID: Named]) {
    let (site, processes) = try SiteFiles.read(path, linked: linked)
    var children: [DeviceID: Named] = [:]
    for (index, entry) in site.plugins.enumerated() where entry.descriptor != nil && !entry.isLibrary {
      let place = "\(path): plugins[\(index)]"
      let program = try processes.entry(entry, place: place)
      let (manifest, text) = try ChildPrograms.manifest(program)
      let named = Named(
        entry: entry, descriptorHash: program.hash, manifestText: text,
        program: ChildPrograms.program(program, entry, manifest))
      guard children.updateValue(named, forKey: manifest.device) == nil else {
        throw Problem(
          .content, place: place, cause: "two plugins are \(manifest.device)", remedy: "keep one of them")
      }
    }
    return (site, children)
  }

  /// A plugin in a process of its own, as a site file names it.
  struct Named: Sendable {
    var entry: Site.Plugin
    var descriptorHash: String
    var manifestText: String
    var program: ChildProgram

    /// Whether it would be started as the other.
    func isSame(as other: Named) -> Bool {
      entry == other.entry && descriptorHash == other.descriptorHash && manifestText == other.manifestText
    }
  }
}
