/// Plain cutting and joining of paths; the file system is not asked.
public enum FilePath {
  static func withoutTrailingSlash(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }

  /// The folder of a path: `.` for a bare name.
  public static func parent(of path: String) -> String {
    let path = withoutTrailingSlash(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : withoutTrailingSlash(String(path[..<slash]))
  }

  static func name(of path: String) -> String {
    let path = withoutTrailingSlash(path)
    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// A name in a folder; in `.` the bare name.
  public static func join(_ folder: String, _ name: String) -> String {
    switch folder {
    case ".": name
    case "/": "/" + name
    default: withoutTrailingSlash(folder) + "/" + name
    }
  }
}
