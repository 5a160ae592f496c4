import StintFormats
public import StintModel
import StintRuntime
import StintSimulation

/// The manifests that policies are checked against.
public enum Manifests {
  /// Those in a folder's `.json` files, or the reference phone's without a folder; sorted by device.
  public static func read(_ folder: String?) throws(ToolError) -> [Manifest] {
    guard let folder else { return try reference() }
    let paths: [String]
    do { paths = try Folder.files(in: folder, suffix: ".json") } catch { throw ToolError(error) }
    guard !paths.isEmpty else {
      throw ToolError(
        .file, place: folder, cause: "no manifest is in this folder",
        nextStep: "name a folder with .json files")
    }
    var manifests: [Manifest] = []
    for path in paths {
      let manifest: Manifest
      do { manifest = try ManifestReader.manifest(path: path) } catch { throw ToolError(error) }
      if manifests.contains(where: { $0.device == manifest.device }) {
        throw ToolError(
          .content, place: path, cause: "a second manifest for \(manifest.device)",
          nextStep: "keep one of them")
      }
      manifests.append(manifest)
    }
    return manifests.sorted { $0.device < $1.device }
  }

  private static func reference() throws(ToolError) -> [Manifest] {
    do { return try ReferencePhone.manifests() } catch { throw ToolError(error) }
  }
}
