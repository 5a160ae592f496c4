import StintFormats
package import StintModel
package import StintPluginKit
import StintRuntime
import StintServices
import StintSystem
package import StintUnits

/// Reads site files and the files to which they refer.
package enum SiteFiles {
  /// Returns the site, and the descriptors of its plugins that are not linked in.
  ///
  /// - Parameter mayBeEmpty: true when a site without plugins is valid, because a running daemon may lose all
  ///   its plugins.
  package static func read(
    _ path: String, linked: [LinkedPlugin], mayBeEmpty: Bool = false
  ) throws(Problem) -> (Site, ChildPrograms) {
    let bytes = try bytes(path)
    let processes = ChildPrograms(site: path)
    let site: Site
    do throws(Problem) {
      site = try SiteReader.site(
        of: bytes, source: path, plugins: linked.map(\.form), requests: .all, mayBeEmpty: mayBeEmpty
      ) { processes.form($0) }
    } catch {
      // A problem inside a descriptor is more precise than the site reader's message about a missing plugin.
      guard processes.problems.isEmpty else { throw Problem(all: processes.problems) }
      throw error
    }
    return (site, processes)
  }

  package static func bytes(_ path: String) throws(Problem) -> [UInt8] {
    try FileText.read(path)
  }

  /// Returns the path of a file that is named in `file`. A relative path starts in the folder of `file`.
  /// Links are resolved when the named file exists.
  package static func path(_ path: String, beside file: String) -> String {
    let path = path.hasPrefix("/") ? path : folder(of: file) + "/" + path
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the folder that contains a file.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
