import StintFormats
import StintJournal
package import StintModel
package import StintPluginHost
import StintPluginKit
import StintRuntime
package import StintUnits

/// Reads the descriptors of a site's plugins that are not linked into the program. Reading starts no plugin.
package final class ChildPrograms {
  /// The descriptor of one plugin.
  package struct Entry: Sendable {
    package var descriptor: PluginDescriptor
    /// The path of the descriptor.
    package var path: String
    /// The SHA-256 of the descriptor, in hexadecimal.
    package var hash: String

    /// Returns the resolved path of a file in the descriptor.
    package func path(of file: String) -> String { SiteFiles.path(file, beside: path) }

    /// Returns the path of a file as the plugin's process sees it: links below the plugin's folder are not
    /// resolved.
    package func place(of file: String) -> String {
      file.hasPrefix("/") ? file : SiteFiles.folder(of: path) + "/" + file
    }
  }

  private let site: String
  private var entries: [String: Entry] = [:]
  /// The reasons why descriptors could not be read.
  package private(set) var problems: [Problem] = []

  /// Creates a reader that has not read any descriptor yet. The paths of descriptors are relative to the
  /// folder of the site file.
  package init(site: String) { self.site = site }

  /// Returns the name and the settings of the plugin with this descriptor. Nil when the descriptor cannot be
  /// read; `problems` then contains the reason.
  package func form(_ path: String) -> PluginForm? {
    if let entry = entries[path] { return entry.descriptor.form }
    do throws(Problem) {
      let whole = SiteFiles.path(path, beside: site)
      let bytes = try SiteFiles.bytes(whole)
      let descriptor = try Self.descriptor(bytes, whole)
      entries[path] = Entry(descriptor: descriptor, path: whole, hash: SHA256.hexadecimal(of: bytes))
      return descriptor.form
    } catch {
      problems += error.all
      return nil
    }
  }

  private static func descriptor(_ bytes: [UInt8], _ path: String) throws(Problem) -> PluginDescriptor {
    try PluginDescriptorReader.descriptor(of: bytes, source: path)
  }

  /// Returns the descriptor of a site file's entry without checking it. The site reader must have read the
  /// descriptor before.
  package func known(_ plugin: Site.Plugin) -> Entry {
    guard let path = plugin.descriptor, let entry = entries[path] else {
      preconditionFailure("the site reader must read each descriptor first")
    }
    return entry
  }

  /// Returns the descriptor of a site file's entry after checking its hash and, for a program, its
  /// permissions.
  ///
  /// - Throws: `Problem` when the hash or a permission differs from the site file.
  package func entry(_ plugin: Site.Plugin, place: String) throws(Problem) -> Entry {
    let entry = known(plugin)
    guard plugin.hash == nil || plugin.hash == entry.hash else {
      throw Problem(
        .content, place: place,
        cause: "the SHA-256 of \(entry.path) is \(entry.hash); the site file contains another one",
        remedy: "check the change; if the change is correct, write the new hash")
    }
    // A library is part of the daemon, so its permissions cannot be limited.
    if plugin.isLibrary { return entry }
    let requestedPermissions = entry.descriptor.requestedPermissions
    if let extra = plugin.allowed.first(where: { !requestedPermissions.contains($0) }) {
      throw Problem(
        .content, place: place, cause: "“\(extra)” is allowed, but \(plugin.name) does not request it",
        remedy: requestedPermissions.isEmpty
          ? "it requests nothing" : "it requests \(requestedPermissions.joined(separator: ", "))")
    }
    if let missing = requestedPermissions.first(where: { !plugin.allowed.contains($0) }) {
      throw Problem(
        .content, place: place, cause: "\(plugin.name) requests “\(missing)”, which is not allowed",
        remedy:
          "write \"allow\": [\(requestedPermissions.map { "\"\($0)\"" }.joined(separator: ", "))] to permit "
          + "it, or remove the plugin from the site file"
      )
    }
    return entry
  }

  /// Returns the devices of an entry of the site file and the texts of their manifests. Both have the names
  /// that the site gives to the devices. Checks the hashes of the manifests.
  ///
  /// - Throws: `Problem` when
  ///   - a manifest cannot be read or is invalid, or its hash differs from the descriptor;
  ///   - a manifest describes a device that only a linked plugin can serve;
  ///   - two manifests have the same device;
  ///   - the names in the site do not fit the devices of the plugin.
  package static func devices(
    _ entry: Entry, _ plugin: Site.Plugin, place: String
  ) throws(Problem) -> [(device: ProgramDevice, manifestText: String)] {
    var own: [(manifest: Manifest, bytes: [UInt8])] = []
    for file in entry.descriptor.manifests { own.append(try manifest(entry, file)) }
    try check(own.map(\.manifest), of: entry.path)
    let names = try names(plugin, own.map(\.manifest.device), place: place)
    var devices: [(ProgramDevice, String)] = []
    for (index, (manifest, bytes)) in own.enumerated() {
      guard !names.isEmpty else {
        devices.append((ProgramDevice(manifest), String(decoding: bytes, as: UTF8.self)))
        continue
      }
      let source = entry.path(of: entry.descriptor.manifests[index])
      let text = try ManifestNames.text(of: bytes, source: source, manifest: manifest, names: names)
      let renamed = try ManifestReader.manifest(of: Array(text.utf8), source: source)
      devices.append((ProgramDevice(renamed, own: manifest), text))
    }
    return devices
  }

  /// Throws when two manifests of a plugin have the same device.
  package static func check(_ manifests: [Manifest], of descriptor: String) throws(Problem) {
    for (index, manifest) in manifests.enumerated()
    where manifests[..<index].contains(where: { $0.device == manifest.device }) {
      throw Problem(
        .duplicate, place: Problem.Place(descriptor, part: "manifests[\(index)]"),
        cause: "another manifest also has the device \(manifest.device)",
        remedy: "give each device of the plugin a name of its own")
    }
  }

  /// Returns the new names of a plugin's devices by their own names; empty when the site renames none.
  static func names(
    _ plugin: Site.Plugin, _ own: [DeviceID], place: String
  ) throws(Problem) -> [DeviceID: DeviceID] {
    let place = place + ".as"
    switch plugin.names {
    case .own: return [:]
    case .single(let name):
      guard own.count == 1 else {
        let example = own.map { "\"\($0)\": …" }.joined(separator: ", ")
        throw Problem(
          .content, place: place,
          cause: "\(plugin.name) has \(own.count) devices, but “as” contains one name",
          remedy: "write \"as\": {\(example)}")
      }
      return [own[0]: name]
    case .each(let names):
      if let unknown = names.keys.sorted().first(where: { !own.contains($0) }) {
        throw Problem(
          .unknownName, place: place, cause: "\(plugin.name) has no device “\(unknown)”",
          remedy: Spelling.advice(for: unknown.path, among: own.map(\.path)))
      }
      let results = own.map { names[$0] ?? $0 }
      for (index, name) in results.enumerated() where results[..<index].contains(name) {
        throw Problem(
          .duplicate, place: place, cause: "two devices of \(plugin.name) have the name “\(name)”",
          remedy: "give each device a name of its own")
      }
      return names
    }
  }

  /// Returns a manifest of a plugin and its bytes, after checking their hash.
  private static func manifest(
    _ entry: Entry, _ file: String
  ) throws(Problem) -> (manifest: Manifest, bytes: [UInt8]) {
    let path = entry.path(of: file)
    let bytes = try SiteFiles.bytes(path)
    guard SHA256.hexadecimal(of: bytes) == entry.descriptor.hash(of: file) else {
      throw Problem(
        .content, place: path, cause: "the SHA-256 of the manifest differs from the one in \(entry.path)",
        remedy: "install both files from the same source")
    }
    return (try manifest(of: bytes, source: path), bytes)
  }

  /// Returns the manifest of a plugin in a process or library.
  ///
  /// - Throws: `Problem` when the manifest is invalid, or when it describes a processor. Only a linked
  ///   plugin can be a processor, because the protocol has no frames for its wake-ups.
  package static func manifest(of bytes: [UInt8], source: String) throws(Problem) -> Manifest {
    let manifest = try ManifestReader.manifest(of: bytes, source: source)
    guard manifest.kind != .processor else {
      throw Problem(
        .kind, place: Problem.Place(source, part: "kind"),
        cause: "\(manifest.device) is a \(manifest.kind.rawValue), which only a linked plugin can be",
        remedy: "link the plugin into the daemon, or make it a sensor, a radio or a source")
    }
    return manifest
  }

  private static func access(_ descriptor: PluginDescriptor, _ plugin: Site.Plugin) -> ChildAccess {
    ChildAccess(
      readable: descriptor.needs.filter { $0.access == .read }.map(\.path),
      writable: descriptor.needs.filter { $0.access == .write }.map(\.path),
      hasNetwork: descriptor.needsNetwork, startsProcesses: descriptor.needsProcesses,
      required: plugin.required)
  }

  /// Returns the program to start for an entry of the site file.
  package static func program(
    _ entry: Entry, _ plugin: Site.Plugin, _ devices: [ProgramDevice]
  ) -> ChildProgram {
    let path = entry.place(of: entry.descriptor.program)
    let settings = entry.descriptor.form.settings.compactMap { form in
      plugin.settings[form.key].map { PluginSettingEntry(form.key, $0) }
    }
    var program = ChildProgram(
      name: entry.descriptor.form.name, manifest: devices[0].manifest, path: path,
      folder: SiteFiles.folder(of: entry.path),
      settings: settings, access: access(entry.descriptor, plugin)
    ) { () throws(ChildFailure) in
      try files(entry, program: path)
    }
    program.devices = devices
    program.secrets = plugin.secrets
    program.hash = entry.descriptor.hash(of: entry.descriptor.program)
    return program
  }

  /// The maximum total size of a plugin's sealed files, in bytes.
  private static let maxTotalSize = 512 << 20

  /// Copies the sealed files of a plugin to memory and checks their hashes. Blocks until the disk answers.
  private static func files(_ entry: Entry, program: String) throws(ChildFailure) -> [SealedFile] {
    var files: [SealedFile] = []
    var left = maxTotalSize
    for sealed in entry.descriptor.files {
      let path = entry.place(of: sealed.path)
      var hash = SHA256()
      let contents = try SealedContents(copying: path, limit: left) { hash.update($0) }
      guard hash.hexadecimal() == sealed.hash else {
        let what = path == program ? "the program" : "the file"
        throw ChildFailure(
          .hash, "\(path) is not \(what) of its descriptor: its SHA-256 differs"
        ).permanent
      }
      left -= contents.count
      files.append(
        SealedFile(path: path, contents: contents, isProgram: path == program || Folder.isRunnable(path)))
    }
    return files
  }
}
