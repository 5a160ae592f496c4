import StintDaemon
import StintFormats
public import StintModel
public import StintPluginKit
import StintRuntime
import StintSimulation
public import StintUnits

/// The devices and declared facts for which policies are read.
public struct PolicyDevices: Sendable {
  /// The manifests, sorted by device.
  public let manifests: [Manifest]
  /// The facts that a site declares.
  public let declared: [FactSchema]

  /// The names of devices and facts for the compiler.
  public var vocabulary: Vocabulary { Vocabulary(manifests: manifests, declared: declared) }

  /// Finds the devices: those of a site, or those of the reference phone. The manifests of a folder are
  /// added. A manifest of the folder replaces that of a device with the same name.
  ///
  /// No device is opened and no process is started.
  ///
  /// - Parameters:
  ///   - site: the path of a site file; nil for the reference phone.
  ///   - folder: the path of a folder with `.json` manifests; nil for none.
  ///   - linked: the plugins that a site file may name.
  /// - Throws: `Problem` when the site is invalid, when the folder is empty or contains an invalid manifest,
  ///   or when two manifests of the folder name the same device.
  public init(site: String?, manifests folder: String?, linked: [LinkedPlugin]) throws(Problem) {
    var found: [DeviceID: Manifest] = [:]
    if let site {
      let setup = try DaemonSetup(site: site, timeZone: nil, linked: linked, loop: LoopExecutor())
      for manifest in setup.vocabulary.manifests { found[manifest.device] = manifest }
      declared = setup.declares
    } else {
      for manifest in try ReferencePhone.manifests() { found[manifest.device] = manifest }
      declared = []
    }
    if let folder { for manifest in try Self.read(folder) { found[manifest.device] = manifest } }
    manifests = found.values.sorted { $0.device < $1.device }
  }

  /// Reads the `.json` manifests in a folder.
  private static func read(_ folder: String) throws(Problem) -> [Manifest] {
    let paths = try Folder.files(in: folder, suffix: ".json")
    guard !paths.isEmpty else {
      throw Problem(
        .file, place: folder, cause: "no manifest in this folder", remedy: "name a folder with .json files"
      )
    }
    var manifests: [Manifest] = []
    for path in paths {
      let manifest = try ManifestReader.manifest(path: path)
      if manifests.contains(where: { $0.device == manifest.device }) {
        throw Problem(
          .content, place: path, cause: "a second manifest for \(manifest.device)", remedy: "keep one of them"
        )
      }
      manifests.append(manifest)
    }
    return manifests
  }
}
