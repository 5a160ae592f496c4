import StintDaemon
import StintFormats
public import StintModel
public import StintPluginKit
import StintRuntime
import StintSimulation
public import StintUnits

/// The devices and declared facts for which policies are checked and compiled.
public struct PolicyDevices: Sendable {
  /// A device with the text of its manifest.
  struct Device: Sendable {
    let manifest: Manifest
    let text: String
  }

  /// The facts that a site declares.
  public let declared: [FactSchema]
  /// The clients and values of a site; nil for the reference phone.
  let script: ClientScript?
  /// The devices of the site or of the reference phone.
  private let base: [Device]
  /// The devices of the folder.
  private let added: [Device]

  /// The manifests, sorted by device.
  public var manifests: [Manifest] { merged(into: base).map(\.manifest) }

  /// The names of devices and facts for the compiler.
  public var vocabulary: Vocabulary { Vocabulary(manifests: manifests, declared: declared) }

  /// Finds the devices: those of a site, or those of the reference phone. The manifests of a folder are
  /// added. A manifest of the folder replaces that of a device with the same name.
  ///
  /// No device is opened and no process is started.
  ///
  /// - Parameters:
  ///   - site: the path of a site file; nil for the reference phone.
  ///   - folder: the path of a folder with `.json` manifests; nil for no folder.
  ///   - linked: the plugins that a site file may name.
  /// - Throws: `Problem` when the site is invalid, or when the folder is empty or contains an invalid
  ///   manifest. The initializer also throws when two manifests of the folder name the same device, or when
  ///   manifests declare different units with the same symbol.
  public init(site: String?, manifests folder: String?, linked: [LinkedPlugin]) throws(Problem) {
    added = try folder.map { folder throws(Problem) in try Self.read(folder) } ?? []
    guard let site else {
      base = try ReferencePhone.manifests().map {
        Device(manifest: $0, text: ReferencePhone.manifestText($0.device))
      }
      (declared, script) = ([], nil)
      if let conflict = vocabulary.unitConflict { throw conflict }
      return
    }
    let setup = try DaemonSetup(site: site, timeZone: nil, linked: linked, loop: LoopExecutor())
    base = zip(setup.vocabulary.manifests, setup.journalWorld.manifests).map {
      Device(manifest: $0, text: $1)
    }
    (declared, script) = (setup.declares, setup.script)
    if let conflict = vocabulary.unitConflict { throw conflict }
  }

  /// Finds the devices of a simulation as `init(site:manifests:linked:)` does; nil when both paths are nil.
  init?(simulating site: String?, manifests folder: String?, linked: [LinkedPlugin]) throws(Problem) {
    if site == nil, folder == nil { return nil }
    try self.init(site: site, manifests: folder, linked: linked)
  }

  /// Returns the devices of a simulation, sorted by device. These are the devices of the site and of the
  /// folder. Without a site, the devices of `phone` take the place of those of the site.
  func simulated(phone: [Device]) -> [Device] { merged(into: script == nil ? phone : base) }

  private func merged(into base: [Device]) -> [Device] {
    var found: [DeviceID: Device] = [:]
    for device in base + added { found[device.manifest.device] = device }
    return found.values.sorted { $0.manifest.device < $1.manifest.device }
  }

  /// Reads the `.json` manifests in a folder. Skips descriptors of plugins and site files, so that the folder
  /// of a plugin can be given.
  private static func read(_ folder: String) throws(Problem) -> [Device] {
    let paths = try Folder.files(in: folder, suffix: ".json")
    guard !paths.isEmpty else {
      throw Problem(
        .file, place: folder, cause: "no manifest in this folder", remedy: "name a folder with .json files"
      )
    }
    var devices: [Device] = []
    for path in paths {
      let bytes = try FileText.read(path)
      guard !isOtherDocument(bytes) else { continue }
      let manifest = try ManifestReader.manifest(of: bytes, source: path)
      if devices.contains(where: { $0.manifest.device == manifest.device }) {
        throw Problem(
          .content, place: path, cause: "a second manifest for \(manifest.device)", remedy: "keep one of them"
        )
      }
      devices.append(
        Device(manifest: manifest, text: String(decoding: bytes, as: UTF8.self)))
    }
    guard !devices.isEmpty else {
      throw Problem(
        .file, place: folder, cause: "no manifest in this folder, only descriptors of plugins or site files",
        remedy: "name a folder with manifests")
    }
    return devices
  }

  /// True when the file has the format key of a plugin descriptor or of a site. Invalid JSON has no key; the
  /// reader of manifests then reports the error.
  private static func isOtherDocument(_ bytes: [UInt8]) -> Bool {
    do throws(Problem) {
      let value = try JSONReader.value(of: bytes, source: "")
      return value["stint_plugin"] != nil || value["stint_site"] != nil
    } catch {
      return false
    }
  }
}
