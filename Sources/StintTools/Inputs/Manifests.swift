import StintFormats
public import StintModel
import StintRuntime
import StintSimulation
public import StintUnits

/// The device manifests that policies are checked against.
public enum Manifests {
  /// Reads the `.json` manifests in a folder, sorted by device. A nil folder means the reference phone.
  ///
  /// - Throws: `Problem` when the folder is empty, a manifest is invalid, or two manifests name the same
  ///   device.
  public static func read(_ folder: String?) throws(Problem) -> [Manifest] {
    guard let folder else { return try reference() }
    let paths: [String]
    paths = try Folder.files(in: folder, suffix: ".json")
    guard !paths.isEmpty else {
      throw Problem(
        .file, place: folder, cause: "no manifest in this folder", remedy: "name a folder with .json files"
      )
    }
    var manifests: [Manifest] = []
    for path in paths {
      let manifest: Manifest
      manifest = try ManifestReader.manifest(path: path)
      if manifests.contains(where: { $0.device == manifest.device }) {
        throw Problem(
          .content, place: path, cause: "a second manifest for \(manifest.device)", remedy: "keep one of them"
        )
      }
      manifests.append(manifest)
    }
    return manifests.sorted { $0.device < $1.device }
  }

  private static func reference() throws(Problem) -> [Manifest] {
    try ReferencePhone.manifests()
  }
}
