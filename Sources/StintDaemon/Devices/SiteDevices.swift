package import StintModel
package import StintPluginHost
package import StintPluginKit
package import StintRuntime
import StintUnits

/// The devices of a site, created once. Their plugins are linked into the program, loaded as libraries, or
/// run in separate processes.
package struct SiteDevices: Sendable {
  /// The path of the site file, for messages.
  package let path: String
  /// The wall clock of the run and its plugins.
  package let clock: WallClock
  package let plugins: [any DevicePlugin]
  /// The plugins that are not linked into the program.
  package var supervised: [any SupervisedPlugin] { plugins.compactMap { $0 as? any SupervisedPlugin } }
  /// The texts of the manifests, sorted by device.
  let manifestTexts: [String]
  /// The paths of the descriptors of plugins that are not linked in.
  let descriptors: [String]
  /// The site as it was read at the start.
  package let site: Site
  /// The plugins in separate processes as they were read at the start, by device.
  let children: [DeviceID: ChildEntry]
  private let linked: [LinkedPlugin]

  /// Creates the devices without opening them. The clock starts now.
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
    descriptors = Set(site.plugins.filter { $0.descriptor != nil }.map { processes.known($0).path }).sorted()
    var devices: [LinkedPlugin.Device] = []
    var children: [DeviceID: ChildEntry] = [:]
    for (index, entry) in site.plugins.enumerated() {
      if entry.descriptor != nil {
        let place = "\(path): plugins[\(index)]"
        let program = try processes.entry(entry, place: place)
        let (device, text) = try ChildPrograms.device(program, entry, place: place)
        let manifest = device.manifest
        let child = ChildPrograms.program(program, entry, device)
        if !entry.isLibrary {
          children[manifest.device] = ChildEntry(
            entry: entry, descriptorHash: program.hash, manifest: manifest, manifestText: text, program: child
          )
        }
        let now: LinkedPlugin.Clock = { clock.now }
        let plugin: any DevicePlugin =
          entry.isLibrary
          ? LibraryPlugin(child, on: loop, clock: now) : ChildPlugin(child, on: loop, clock: now)
        devices.append(LinkedPlugin.Device(plugin, manifestText: text))
        continue
      }
      guard let plugin = linked.first(where: { $0.form.name == entry.name }) else { continue }
      do throws(Problem) {
        devices += try plugin.make(entry.settings) { clock.now }
      } catch {
        throw Problem(
          .content, place: "\(path): plugins[\(index)]", cause: error.cause, remedy: error.remedy)
      }
    }
    devices.sort { $0.plugin.manifest.device < $1.plugin.manifest.device }
    for (left, right) in zip(devices, devices.dropFirst())
    where left.plugin.manifest.device == right.plugin.manifest.device {
      throw Problem(
        .content, place: "\(path): plugins", cause: "two plugins for \(left.plugin.manifest.device)",
        remedy: Self.renamingRemedy)
    }
    try Self.checkFacts(of: devices.map(\.plugin.manifest), children, path)
    self.children = children
    plugins = devices.map(\.plugin)
    manifestTexts = devices.map(\.manifestText)
  }

  /// Throws when a renamed device publishes a fact that another device also publishes. The name of such a
  /// fact does not contain the name of the device, so a renamed plugin cannot be told from the other plugin.
  private static func checkFacts(
    of manifests: [Manifest], _ children: [DeviceID: ChildEntry], _ path: String
  ) throws(Problem) {
    var owners: [String: DeviceID] = [:]
    for manifest in manifests.sorted(by: { $0.device < $1.device }) {
      for fact in manifest.facts {
        guard let owner = owners.updateValue(manifest.device, forKey: fact.path),
          [owner, manifest.device].contains(where: { children[$0]?.entry.names ?? .own != .own })
        else { continue }
        throw Problem(
          .content, place: "\(path): plugins",
          cause: "\(owner) and \(manifest.device) both publish the fact “\(fact.path)”",
          remedy: "keep one of them: the name of this fact does not contain the name of the device")
      }
    }
  }

  private static let renamingRemedy =
    "keep one of them, or write \"as\": \"NAME\" to give the device of a process another name"

  /// Returns the plugin in a separate process that provides a device; nil when none exists.
  func child(_ device: DeviceID) -> ChildPlugin? {
    plugins.lazy.compactMap { $0 as? ChildPlugin }.first { $0.manifest.device == device }
  }

  /// Reads the site file again. Returns its plugins in separate processes by device, with the programs to
  /// start. Blocks until the disk answers.
  func readSite() throws -> (site: Site, children: [DeviceID: ChildEntry]) {
    let (site, processes) = try SiteFiles.read(path, linked: linked, mayBeEmpty: true)
    var children: [DeviceID: ChildEntry] = [:]
    for (index, entry) in site.plugins.enumerated() where entry.descriptor != nil && !entry.isLibrary {
      let place = "\(path): plugins[\(index)]"
      let program = try processes.entry(entry, place: place)
      let (device, text) = try ChildPrograms.device(program, entry, place: place)
      let manifest = device.manifest
      let child = ChildEntry(
        entry: entry, descriptorHash: program.hash, manifest: manifest, manifestText: text,
        program: ChildPrograms.program(program, entry, device))
      guard children.updateValue(child, forKey: manifest.device) == nil else {
        throw Problem(
          .content, place: place, cause: "two plugins for \(manifest.device)", remedy: Self.renamingRemedy)
      }
    }
    try check(site, children)
    return (site, children)
  }

  /// Throws when a daemon could not start with a changed site. The possible reasons are an unknown time zone,
  /// units that contradict each other, and a client or initial fact that names something which neither the
  /// running devices nor the changed site have. Checks only the time zone when a plugin that is part of the
  /// daemon has changed, because the device of this plugin is not known yet.
  private func check(_ site: Site, _ children: [DeviceID: ChildEntry]) throws(Problem) {
    if let zone = site.timeZone, zone != self.site.timeZone {
      do throws(Problem) { _ = try TimeZoneChoice.rules(zone) } catch {
        throw Problem(
          .content, place: "\(path): time_zone", cause: "“\(zone)”: \(error.cause)", remedy: error.remedy)
      }
    }
    try Self.checkFacts(of: children.values.map(\.manifest), children, path)
    guard Self.others(site) == Self.others(self.site) else { return }
    // A removed plugin may be put back, so clients may still name its device.
    let manifests =
      plugins.map(\.manifest).filter { children[$0.device] == nil } + children.values.map(\.manifest)
    let vocabulary = Vocabulary(
      manifests: manifests.sorted { $0.device < $1.device }, declared: site.declares)
    if let conflict = vocabulary.unitConflict { throw conflict }
    try ScriptSource.check(site.script(from: clock.clock.start), vocabulary, place: path)
  }

  /// The plugins of a site that are linked in or loaded as libraries.
  static func others(_ site: Site) -> [Site.Plugin] {
    site.plugins.filter { $0.descriptor == nil || $0.isLibrary }
  }

  /// A plugin in a separate process, as the site file specifies it.
  struct ChildEntry: Sendable {
    var entry: Site.Plugin
    var descriptorHash: String
    var manifest: Manifest
    var manifestText: String
    var program: ChildProgram

    /// Returns whether both entries start an identical program.
    func isSame(as other: ChildEntry) -> Bool {
      entry == other.entry && descriptorHash == other.descriptorHash && manifestText == other.manifestText
    }
  }
}
