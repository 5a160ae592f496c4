/// Functions that split and join paths without access to the file system.
public enum FilePath {
  package static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// Returns the folder of a path, or `.` for a name without a folder.
  public static func parent(of path: String) -> String {
    let path = withoutTrailingSlash(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : withoutTrailingSlash(String(path[..<slash]))
  }

  /// Returns the last component of a path.
  public static func name(of path: String) -> String {
    let path = withoutTrailingSlash(path)
    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// Returns the path of a name in a folder. Returns the name alone for the folder `.`.
  public static func join(_ folder: String, _ name: String) -> String {
    switch folder {
    case ".": name
    case "/": "/" + name
    default: withoutTrailingSlash(folder) + "/" + name
    }
  }
}
