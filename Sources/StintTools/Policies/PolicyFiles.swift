public import StintLanguage
import StintRuntime
public import StintUnits

/// Finds and reads policy files.
public enum PolicyFiles {
  /// Reads policy files, in the order of `paths`. A folder means its `.stint` files, and `-` means standard
  /// input.
  ///
  /// - Throws: `Problem` when a file cannot be read or a folder has no policies.
  public static func read(_ paths: [String]) throws(Problem) -> [SourceText] {
    var sources: [SourceText] = []
    for path in try expand(paths) {
      sources.append(
        SourceText(file: path, bytes: try FileText.beginning(of: path, atMost: SourceText.maxBytes + 1)))
    }
    return sources
  }

  /// Writes a string to a file atomically.
  public static func write(_ text: String, to path: String) throws(Problem) {
    try FileText.write(Array(text.utf8), to: path)
  }

  /// Returns the paths of the files, with folders expanded and without duplicates.
  static func expand(_ paths: [String]) throws(Problem) -> [String] {
    var files: [String] = []
    for path in paths {
      let found: [String]
      found = path == "-" ? [path] : try Folder.policies(at: path)
      guard !found.isEmpty else {
        throw Problem(
          .file, place: path, cause: "no policy in this folder", remedy: "name a folder with .stint files")
      }
      for file in found where !files.contains(file) { files.append(file) }
    }
    return files
  }
}
