import StintFormats
import StintModel
import StintPluginKit
import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads site files, and the files that they name.
package enum SiteFiles {
  /// The site, and what is known of its plugins that are not linked in.
  static func read(_ path: String, linked: [LinkedPlugin]) throws(ToolError) -> (Site, ChildPrograms) {
    let bytes = try bytes(path)
    let processes = ChildPrograms(site: path)
    let site: Site
    do throws(FormatErrors) {
      site = try SiteReader.site(of: bytes, source: path, plugins: linked.map(\.form)) { processes.form($0) }
    } catch {
      // What is wrong within a descriptor says more than that there is none.
      guard processes.problems.isEmpty else { throw ToolError(.content, processes.problems) }
      throw ToolError(error)
    }
    return (site, processes)
  }

  package static func bytes(_ path: String) throws(ToolError) -> [UInt8] {
    do throws(FileError) { return try FileText.read(path) } catch { throw ToolError(error) }
  }

  /// A path that a file names, which counts from the file's folder: whole and without links where it is there.
  package static func path(_ path: String, beside file: String) -> String {
    let path = path.hasPrefix("/") ? path : folder(of: file) + "/" + path
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder of a file.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
