public import StintLanguage
import StintRuntime

/// Finds and reads policy files.
public enum PolicyFiles {
  /// The texts of the files, in the order given; a folder stands for its `.stint` files, `-` for standard
  /// input.
  public static func read(_ paths: [String]) throws(ToolError) -> [SourceText] {
    var sources: [SourceText] = []
    for path in try expand(paths) {
      do {
        sources.append(
          SourceText(file: path, bytes: try FileText.beginning(of: path, atMost: SourceText.mostBytes + 1)))
      } catch {
        throw ToolError(error)
      }
    }
    return sources
  }

  /// Writes a text whole, or not at all.
  public static func write(_ text: String, to path: String) throws(ToolError) {
    do throws(FileError) {
      try FileText.write(Array(text.utf8), to: path)
    } catch {
      throw ToolError(error)
    }
  }

  /// The paths of the files themselves, each once.
  static func expand(_ paths: [String]) throws(ToolError) -> [String] {
    var files: [String] = []
    for path in paths {
      let found: [String]
      do { found = path == "-" ? [path] : try Folder.policies(at: path) } catch { throw ToolError(error) }
      guard !found.isEmpty else {
        throw ToolError(
          .file, place: path, cause: "no policy is in this folder",
          nextStep: "name a folder with .stint files")
      }
      for file in found where !files.contains(file) { files.append(file) }
    }
    return files
  }
}
