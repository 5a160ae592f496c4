import StintFormats
import StintJournal
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintUnits

/// The plugins of a site that run in processes of their own: reads what describes them, before anything of them runs.
final class ChildPrograms {
  /// What is known of one plugin.
  struct Entry: Sendable {
    var descriptor: PluginDescriptor
    /// The descriptor's path, and its SHA-256.
    var path: String
    var hash: String

    /// The path of a file that the descriptor names.
    func path(of file: String) -> String { SiteFiles.path(file, beside: path) }

    /// The same without following links within the plugin's folder: where its process sees the file.
    func place(of file: String) -> String {
      file.hasPrefix("/") ? file : SiteFiles.folder(of: path) + "/" + file
    }
  }

  private let site: String
  private var entries: [String: Entry] = [:]
  /// Why descriptors could not be read.
  private(set) var problems: [Problem] = []

  /// Makes an empty list for the site file at this path, from whose folder paths count.
  init(site: String) { self.site = site }

  /// The form of the plugin with this descriptor; notes why when there is none.
  func form(_ path: String) -> PluginForm? {
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

  /// What an entry of the site file names, whatever is wrong with it.
  func known(_ plugin: Site.Plugin) -> Entry {
    guard let path = plugin.descriptor, let entry = entries[path] else {
      preconditionFailure("a site names only descriptors that were read")
    }
    return entry
  }

  /// What an entry of the site file names; its descriptor must be the one that the operator meant.
  func entry(_ plugin: Site.Plugin, place: String) throws(Problem) -> Entry {
    let entry = known(plugin)
    guard plugin.hash == nil || plugin.hash == entry.hash else {
      throw Problem(
        .content, place: place,
        cause: "\(entry.path) has another SHA-256 than the site file says: \(entry.hash)",
        remedy: "see what changed, and write the new one if that is right")
    }
    // A library is a part of the daemon: nothing can be kept from it.
    if plugin.isLibrary { return entry }
    let requestedPermissions = entry.descriptor.requestedPermissions
    if let extra = plugin.allowed.first(where: { !requestedPermissions.contains($0) }) {
      throw Problem(
        .content, place: place, cause: "“\(extra)” is allowed, and \(plugin.name) does not ask for it",
        remedy: requestedPermissions.isEmpty
          ? "it asks for nothing" : "it asks for \(requestedPermissions.joined(separator: ", "))")
    }
    if let missing = requestedPermissions.first(where: { !plugin.allowed.contains($0) }) {
      throw Problem(
        .content, place: place, cause: "\(plugin.name) asks for “\(missing)”, which is not allowed",
        remedy:
          "write \"allow\": [\(requestedPermissions.map { "\"\($0)\"" }.joined(separator: ", "))] if it may, or leave it out"
      )
    }
    return entry
  }

  /// The manifest of a plugin, with its text; it must be the one that belongs to the program.
  static func manifest(_ entry: Entry) throws(Problem) -> (Manifest, text: String) {
    let path = entry.path(of: entry.descriptor.manifest)
    let bytes = try SiteFiles.bytes(path)
    guard SHA256.hexadecimal(of: bytes) == entry.descriptor.hash(of: entry.descriptor.manifest) else {
      throw Problem(
        .content, place: path, cause: "the manifest is not the one of \(entry.path): its SHA-256 is another",
        remedy: "take both from the same place")
    }
    return (try ManifestReader.manifest(of: bytes, source: path), String(decoding: bytes, as: UTF8.self))
  }

  private static func access(_ descriptor: PluginDescriptor, _ plugin: Site.Plugin) -> ChildAccess {
    ChildAccess(
      readable: descriptor.needs.filter { $0.access == .read }.map(\.path),
      writable: descriptor.needs.filter { $0.access == .write }.map(\.path),
      hasNetwork: descriptor.needsNetwork, startsProcesses: descriptor.needsProcesses,
      required: plugin.required)
  }

  /// What is started for an entry of the site file.
  static func program(_ entry: Entry, _ plugin: Site.Plugin, _ manifest: Manifest) -> ChildProgram {
    let path = entry.place(of: entry.descriptor.program)
    let settings = entry.descriptor.form.settings.compactMap { form in
      plugin.settings[form.key].map { PluginSettingEntry(form.key, $0) }
    }
    return ChildProgram(
      name: entry.descriptor.form.name, manifest: manifest, path: path,
      folder: SiteFiles.folder(of: entry.path),
      settings: settings, access: access(entry.descriptor, plugin)
    ) { () throws(ChildFailure) in
      try files(entry, program: path)
    }
  }

  /// The most that a plugin's process is shown, in bytes.
  private static let most = 512 << 20

  /// The files of a plugin as its seal means them, read now.
  private static func files(_ entry: Entry, program: String) throws(ChildFailure) -> [SealedFile] {
    var files: [SealedFile] = []
    var left = most
    for sealed in entry.descriptor.files {
      let path = entry.place(of: sealed.path)
      let bytes: [UInt8]
      do throws(Problem) { bytes = try FileText.read(path, limit: left) } catch {
        throw ChildFailure(.hash, error.description).ruledOut
      }
      guard SHA256.hexadecimal(of: bytes) == sealed.hash else {
        let what = path == program ? "the program" : "the file"
        throw ChildFailure(
          .hash, "\(path) is not \(what) that its descriptor means: its SHA-256 is another"
        ).ruledOut
      }
      left -= bytes.count
      files.append(
        SealedFile(path: path, bytes: bytes, isProgram: path == program || Folder.isRunnable(path)))
    }
    return files
  }
}
