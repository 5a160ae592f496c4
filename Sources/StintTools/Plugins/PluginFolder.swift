import StintDaemon
import StintFormats
import StintModel
import StintPluginHost
import StintRuntime
import StintServices
import StintUnits

/// A plugin that runs as a separate program, read from its folder for `stint plugin check` and
/// `stint plugin run`.
struct PluginFolder {
  let program: ChildProgram

  /// The manifests of the plugin's devices, in the order of the descriptor.
  var manifests: [Manifest] { program.devices.map(\.manifest) }

  /// Reads a plugin, and grants its program every requested permission.
  ///
  /// - Parameters:
  ///   - place: the folder of the plugin, or the path of its descriptor.
  ///   - settings: the values of the plugin's settings, each as `KEY=VALUE`.
  /// - Throws: `Problem` when the descriptor is missing, when the manifest cannot be read, or when a setting
  ///   is unknown or has an invalid value.
  init(_ place: String, settings: [String]) throws(Problem) {
    let path = Folder.entry(at: place) == .folder ? FilePath.join(place, "plugin.json") : place
    guard Folder.entry(at: path) == .file else {
      throw Problem(
        .file, place: path, cause: "this folder contains no plugin descriptor",
        remedy: "name the folder that contains plugin.json")
    }
    let absolute = Folder.absolute(path) ?? path
    let processes = ChildPrograms(site: absolute)
    guard let form = processes.form(absolute) else { throw Problem(all: processes.problems) }
    // The reader of site files checks the settings as it does for a daemon.
    let with = try settings.map { word throws(Problem) in try Self.member(word, of: form) }
    let site = JSONWriter.text(of: [
      "stint_site": 1, "plugins": [["process": JSONValue(absolute), "with": JSONValue(with)]],
    ])
    let read = try SiteReader.site(
      of: Array(site.utf8), source: "--with", plugins: [], requests: .all
    ) { processes.form($0) }
    guard var plugin = read.plugins.first else { preconditionFailure("the site has one plugin") }
    plugin.allowed = processes.known(plugin).descriptor.requestedPermissions
    let entry = try processes.entry(plugin, place: path)
    let devices = try ChildPrograms.devices(entry, plugin, place: path).map(\.device)
    program = ChildPrograms.program(entry, plugin, devices)
  }

  /// Returns the index of the device with this name; 0 when `name` is nil.
  ///
  /// - Throws: `Problem` when the plugin has no such device.
  func index(of name: String?) throws(Problem) -> Int {
    guard let name else { return 0 }
    guard let index = manifests.firstIndex(where: { $0.device.path == name }) else {
      throw Problem(
        .unknownName, place: "--device", cause: "\(program.name) has no device “\(name)”",
        remedy: Spelling.advice(for: name, among: manifests.map(\.device.path)))
    }
    return index
  }

  /// Returns a setting as a member of the site file's `with`.
  private static func member(_ word: String, of form: PluginForm) throws(Problem) -> JSONMember {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let setting = form.settings.first(where: { $0.key == parts[0] }) else {
      let keys = form.settings.map { "\($0.key)=VALUE" }.joined(separator: ", ")
      throw Problem(
        .unknownName, place: "--with", cause: "“\(word)” is not a setting of \(form.name)",
        remedy: keys.isEmpty ? "the plugin has no settings" : "write one of \(keys)")
    }
    let value: JSONValue
    switch setting.kind {
    case .text where parts[1].hasPrefix("{"):
      // The place of a secret, as in a site file.
      value = try JSONReader.value(of: parts[1], source: "--with")
    case .text, .span: value = JSONValue(parts[1])
    case .whole: value = Int64(parts[1]).map { JSONValue($0) } ?? JSONValue(parts[1])
    case .flag: value = parts[1] == "true" ? true : parts[1] == "false" ? false : JSONValue(parts[1])
    }
    return JSONMember(parts[0], value)
  }
}
