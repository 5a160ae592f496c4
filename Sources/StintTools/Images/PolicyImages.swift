public import StintLanguage
public import StintMachine
import StintRuntime

/// Reads and writes compiled policies.
public enum PolicyImages {
  /// The bytes of an image, where the paths name one; nil when they name texts.
  static func bytes(_ paths: [String]) throws(ToolError) -> [UInt8]? {
    for path in paths where path != "-" {
      guard Folder.entry(at: path) == .file else { continue }
      let bytes = try read(path)
      guard ImageFile.claims(bytes) else { continue }
      guard paths.count == 1 else {
        throw ToolError(
          .content, place: path, cause: "an image stands for all policies, and \(paths.count) are named",
          nextStep: "name it alone, or compile it together with the others")
      }
      return bytes
    }
    return nil
  }

  /// Reads an image file; its content is not verified yet.
  public static func file(_ path: String) throws(ToolError) -> ImageFile {
    let bytes = try read(path)
    do { return try ImageFile(bytes) } catch { throw ToolError(error, in: path) }
  }

  /// The texts of policy files; those within an image where a path names one.
  public static func sources(_ paths: [String]) throws(ToolError) -> [SourceText] {
    var sources: [SourceText] = []
    for path in paths {
      if let bytes = try bytes([path]) {
        do { sources += PolicyLoader.sources(of: try ImageFile.texts(bytes)) } catch {
          throw ToolError(error, in: path)
        }
      } else {
        sources += try PolicyFiles.read([path])
      }
    }
    var seen: Set<String> = []
    return sources.filter { seen.insert($0.file).inserted }
  }

  private static func read(_ path: String) throws(ToolError) -> [UInt8] {
    do { return try FileText.beginning(of: path, atMost: ImageFile.mostBytes + 1) } catch {
      throw ToolError(error)
    }
  }
}

extension ToolError {
  /// Why the file at a path is no image that can be run.
  init(_ trap: ImageTrap, in path: String) {
    self.init(
      .content, place: trap.place.isEmpty ? path : "\(path): \(trap.place)", cause: trap.sentence,
      nextStep: trap.nextStep)
  }
}
