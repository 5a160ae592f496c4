/// Files to watch.
public enum WatchTarget: Hashable, Sendable {
  /// The files in a folder whose names end with the suffix. Subfolders are not included.
  case folder(String, suffix: String)
  /// One file. The file may be missing, but its folder must exist.
  case file(String)

  /// The path of the folder or the file.
  package var path: String {
    switch self {
    case .folder(let path, _), .file(let path): path
    }
  }

  /// The folder that contains the files.
  var folder: String {
    switch self {
    case .folder(let path, _): FilePath.withoutTrailingSlash(path)
    case .file(let path): FilePath.parent(of: path)
    }
  }

  /// Returns true when a file with this name belongs to the target.
  func includes(_ name: String) -> Bool {
    switch self {
    case .folder(_, let suffix): name.hasSuffix(suffix)
    case .file(let path): FilePath.name(of: path) == name
    }
  }
}
