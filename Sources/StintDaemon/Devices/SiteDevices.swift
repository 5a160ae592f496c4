import StintFormats
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
  /// The devices, sorted by their names in the site.
  let devices: [LinkedPlugin.Device]
  package var plugins: [any DevicePlugin] { devices.map(\.plugin) }
  /// The manifests with the names of the site, sorted by device.
  var manifests: [Manifest] { devices.map(\.manifest) }
  /// The plugins that are not linked into the program.
  package var supervised: [any SupervisedPlugin] { plugins.compactMap { $0 as? any SupervisedPlugin } }
  /// The devices with names that the site chose at the start.
  private let renamed: Set<DeviceID>
  /// The texts of the manifests, sorted by device.
  var manifestTexts: [String] { devices.map(\.manifestText) }
  /// The paths of the descriptors of plugins that are not linked in.
  let descriptors: [String]
  /// The site as it was read at the start.
  package let site: Site
  /// The plugins in separate processes as they were read at the start, by their first device.
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
    var renamed: Set<DeviceID> = []
    for (index, entry) in site.plugins.enumerated() {
      if entry.descriptor != nil {
        let place = "\(path): plugins[\(index)]"
        let program = try processes.entry(entry, place: place)
        let child = try Self.child(program, entry, place: place)
        if !entry.isLibrary { children[child.program.manifest.device] = child }
        if entry.names != .own { renamed.formUnion(child.devices) }
        let now: LinkedPlugin.Clock = { clock.now }
        let plugins: [any DevicePlugin] =
          entry.isLibrary
          ? LibraryPlugin.plugins(child.program, on: loop, clock: now)
          : ChildPlugin.plugins(child.program, on: loop, clock: now)
        devices += zip(plugins, child.manifestTexts).map { LinkedPlugin.Device($0, manifestText: $1) }
        continue
      }
      guard let plugin = linked.first(where: { $0.form.name == entry.name }) else { continue }
      do throws(Problem) {
        var settings = entry.settings
        for (key, secret) in entry.secrets.sorted(by: { $0.key < $1.key }) {
          do throws(Problem) { settings[key] = .text(try secret.text()) } catch {
            throw Problem(
              error.code, cause: "“\(key)” has no value: \(error.place.name): \(error.cause)",
              remedy: error.remedy)
          }
        }
        let made = try Self.named(try plugin.make(settings) { clock.now }, entry)
        if entry.names != .own { renamed.formUnion(made.map(\.manifest.device)) }
        devices += made
      } catch {
        throw Problem(
          .content, place: "\(path): plugins[\(index)]", cause: error.cause, remedy: error.remedy)
      }
    }
    devices.sort { $0.manifest.device < $1.manifest.device }
    for (left, right) in zip(devices, devices.dropFirst())
    where left.manifest.device == right.manifest.device {
      throw Problem(
        .content, place: "\(path): plugins", cause: "two plugins for \(left.manifest.device)",
        remedy: Self.renamingRemedy)
    }
    try Self.checkFacts(of: devices.map(\.manifest), renamed: renamed, path)
    self.renamed = renamed
    self.children = children
    self.devices = devices
  }

  /// Returns the devices of a linked plugin with the names that the site gives to them.
  private static func named(
    _ devices: [LinkedPlugin.Device], _ entry: Site.Plugin
  ) throws(Problem) -> [LinkedPlugin.Device] {
    let names = try ChildPrograms.names(entry, devices.map(\.manifest.device), place: entry.name)
    guard !names.isEmpty else { return devices }
    return try devices.map { device throws(Problem) in
      let source = "the manifest of \(device.manifest.device)"
      let text = try ManifestNames.text(
        of: Array(device.manifestText.utf8), source: source, manifest: device.manifest, names: names)
      return LinkedPlugin.Device(
        device.plugin, manifestText: text,
        named: try ManifestReader.manifest(of: Array(text.utf8), source: source))
    }
  }

  /// Throws when a renamed device publishes a fact that another device also publishes. The name of such a
  /// fact does not contain the name of the device, so policies cannot distinguish the two plugins.
  private static func checkFacts(
    of manifests: [Manifest], renamed: Set<DeviceID>, _ path: String
  ) throws(Problem) {
    var owners: [String: DeviceID] = [:]
    for manifest in manifests.sorted(by: { $0.device < $1.device }) {
      for fact in manifest.facts {
        guard let owner = owners.updateValue(manifest.device, forKey: fact.path),
          renamed.contains(owner) || renamed.contains(manifest.device)
        else { continue }
        throw Problem(
          .content, place: "\(path): plugins",
          cause: "\(owner) and \(manifest.device) both publish the fact “\(fact.path)”",
          remedy: "keep one of them: the name of this fact does not contain the name of the device")
      }
    }
  }

  private static let renamingRemedy =
    "keep one of them, or write \"as\": \"NAME\" to give a device another name"

  /// Returns the plugin in a separate process that provides a device; nil when none exists.
  func child(_ device: DeviceID) -> ChildPlugin? {
    plugins.lazy.compactMap { $0 as? ChildPlugin }.first { $0.manifest.device == device }
  }

  /// Returns an entry with its program, after checking the manifests.
  private static func child(
    _ program: ChildPrograms.Entry, _ entry: Site.Plugin, place: String
  ) throws(Problem) -> ChildEntry {
    let devices = try ChildPrograms.devices(program, entry, place: place)
    return ChildEntry(
      entry: entry, descriptorHash: program.hash, manifestTexts: devices.map(\.manifestText),
      program: ChildPrograms.program(program, entry, devices.map(\.device)))
  }

  /// Reads the site file again. Returns its plugins in separate processes by their first device, with the
  /// programs to start. Blocks until the disk answers.
  func readSite() throws -> (site: Site, children: [DeviceID: ChildEntry]) {
    let (site, processes) = try SiteFiles.read(path, linked: linked, mayBeEmpty: true)
    var children: [DeviceID: ChildEntry] = [:]
    var found: Set<DeviceID> = []
    for (index, entry) in site.plugins.enumerated() where entry.descriptor != nil && !entry.isLibrary {
      let place = "\(path): plugins[\(index)]"
      let program = try processes.entry(entry, place: place)
      let child = try Self.child(program, entry, place: place)
      for device in child.devices where !found.insert(device).inserted {
        throw Problem(
          .content, place: place, cause: "two plugins for \(device)", remedy: Self.renamingRemedy)
      }
      children[child.program.manifest.device] = child
    }
    try check(site, children)
    return (site, children)
  }

  /// Throws when a daemon could not start with a changed site. The reason is one of these:
  ///
  /// - The time zone is unknown.
  /// - A renamed device publishes a fact that another device also publishes.
  /// - Units contradict each other.
  /// - A client or an initial fact uses a name that neither the running devices nor the changed site has.
  /// - A service, an attribute or an initial fact has an invalid value.
  ///
  /// When a linked plugin or a library has changed, checks only the time zone, because the device of this
  /// plugin is not known yet.
  private func check(_ site: Site, _ children: [DeviceID: ChildEntry]) throws(Problem) {
    if let zone = site.timeZone, zone != self.site.timeZone {
      do throws(Problem) { _ = try TimeZoneChoice.rules(zone) } catch {
        throw Problem(
          .content, place: "\(path): time_zone", cause: "“\(zone)”: \(error.cause)", remedy: error.remedy)
      }
    }
    let childManifests = children.values.flatMap(\.manifests)
    guard Self.others(site) == Self.others(self.site) else { return }
    // A removed plugin may be put back, so clients may still name its device.
    let manifests =
      self.manifests.filter { old in !childManifests.contains { $0.device == old.device } }
      + childManifests
    let renamedChildren = children.values.filter { $0.entry.names != .own }.flatMap(\.devices)
    // A running process does not count when the site no longer contains it, or gives its devices other names.
    let present = devices.filter { !($0.plugin is ChildPlugin) }.map(\.manifest) + childManifests
    try Self.checkFacts(of: present, renamed: renamed.union(renamedChildren), path)
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
    /// The texts of the manifests, in the order of the program's devices.
    var manifestTexts: [String]
    var program: ChildProgram

    var manifests: [Manifest] { program.devices.map(\.manifest) }
    var devices: [DeviceID] { manifests.map(\.device) }

    /// Returns whether the two entries differ only in the names of their devices. Program, descriptor and
    /// settings are then equal.
    func differsInNamesOnly(from other: ChildEntry) -> Bool {
      var renamed = entry
      renamed.names = other.entry.names
      return entry.names != other.entry.names && renamed == other.entry
        && descriptorHash == other.descriptorHash
    }

    /// Returns whether both entries start an identical program.
    func isSame(as other: ChildEntry) -> Bool {
      entry == other.entry && descriptorHash == other.descriptorHash
        && manifestTexts == other.manifestTexts
    }
  }
}
