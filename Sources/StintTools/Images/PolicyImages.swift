public import StintLanguage
public import StintMachine
import StintRuntime
public import StintUnits

/// Reads policies from image files and from policy files.
public enum PolicyImages {
  /// Returns the bytes of the image at a single path. Returns nil when no path leads to an image. Throws when
  /// there are several paths and one of them leads to an image, or when a file cannot be read.
  static func bytes(_ paths: [String]) throws(Problem) -> [UInt8]? {
    for path in paths where path != "-" {
      guard Folder.entry(at: path) == .file else { continue }
      let bytes = try read(path)
      guard ImageFile.claims(bytes) else { continue }
      guard paths.count == 1 else {
        throw Problem(
          .content, place: path, cause: "an image must be the only path, found \(paths.count) paths",
          remedy: "give only this path, or make one image of all paths with stint compile")
      }
      return bytes
    }
    return nil
  }

  /// Reads an image file without verifying its content.
  ///
  /// - Throws: `Problem` when the file cannot be read or parsed.
  public static func file(_ path: String) throws(Problem) -> ImageFile {
    let bytes = try read(path)
    do { return try ImageFile(bytes) } catch { throw error.at(path) }
  }

  /// Returns true when the file at the path is an image. Does not verify the image.
  package static func isImage(_ path: String) -> Bool {
    guard Folder.entry(at: path) == .file else { return false }
    do throws(Problem) { return ImageFile.claims(try read(path)) } catch { return false }
  }

  /// Returns the texts of policy files. For an image, returns the texts that it contains. Of several texts
  /// with the same file name, only the first is returned.
  ///
  /// - Throws: `Problem` when a file cannot be read, or when an image cannot be parsed.
  public static func sources(_ paths: [String]) throws(Problem) -> [SourceText] {
    var sources: [SourceText] = []
    for path in paths {
      if let bytes = try bytes([path]) {
        do { sources += PolicyLoader.sources(of: try ImageFile.texts(bytes)) } catch {
          throw error.at(path)
        }
      } else {
        sources += try PolicyFiles.read([path])
      }
    }
    var seen: Set<String> = []
    return sources.filter { seen.insert($0.file).inserted }
  }

  private static func read(_ path: String) throws(Problem) -> [UInt8] {
    try FileText.beginning(of: path, atMost: ImageFile.maxBytes + 1)
  }
}
