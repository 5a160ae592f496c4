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

  private static func policies(at path: String) throws(Problem) -> [String] {
    guard !path.isEmpty else {
      throw Problem(
        .notFound, place: "“”", cause: "the path of a policy is empty",
        remedy: "name a file or a folder; an unset variable of the shell is an empty path")
    }
    do throws(Problem) {
      return try Folder.policies(at: path)
    } catch {
      guard error.code == .notFound, let remedy = remedy(for: path) else { throw error }
      throw Problem(.notFound, place: path, cause: error.cause, remedy: remedy)
    }
  }

  /// Returns advice with the path or word that a user may have meant by a path at which nothing exists.
  /// Returns nil when no path or word is similar.
  private static func remedy(for path: String) -> String? {
    if path.lowercased() == "none" {
      return "to use no policy in sim, compare and diff, write `none` in lower case"
    }
    return meant(by: path).map { "did you mean \($0)?" }
  }

  private static func meant(by path: String) -> String? {
    let name = path.hasSuffix(".stint") ? path : path + ".stint"
    return [name, "policies/\(name)"].first { $0 != path && Folder.entry(at: $0) == .file }
      ?? near(to: path)
  }

  /// Returns the policy in the same folder with the most similar name; nil when no name is similar or the
  /// folder cannot be read.
  private static func near(to path: String) -> String? {
    do throws(Problem) {
      let folder = FilePath.parent(of: path)
      let names = try Folder.files(in: folder, suffix: ".stint").map { FilePath.name(of: $0) }
      return Suggestion.nearest(to: FilePath.name(of: path), in: names).map { FilePath.join(folder, $0) }
    } catch {
      return nil
    }
  }

  /// Returns the paths of the files, with folders expanded and without duplicates.
  static func expand(_ paths: [String]) throws(Problem) -> [String] {
    var files: [String] = []
    for path in paths {
      let found: [String]
      found = path == "-" ? [path] : try policies(at: path)
      guard !found.isEmpty else {
        throw Problem(
          .file, place: path, cause: "no policy in this folder", remedy: "name a folder with .stint files")
      }
      for file in found where !files.contains(file) { files.append(file) }
    }
    return files
  }
}
