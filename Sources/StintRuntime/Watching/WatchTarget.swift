/// What is to be watched.
public enum WatchTarget: Hashable, Sendable {
  /// The files in a folder, not in its subfolders, whose names end in the suffix.
  case folder(String, suffix: String)
  /// One file, which need not exist; its folder must.
  case file(String)

  /// The folder in which it happens.
  var folder: String {
    switch self {
    case .folder(let path, _): FilePath.withoutTrailingSlash(path)
    case .file(let path): FilePath.parent(of: path)
    }
  }

  /// Whether the target asks for files of this name in its folder.
  func includes(_ name: String) -> Bool {
    switch self {
    case .folder(_, let suffix): name.hasSuffix(suffix)
    case .file(let path): FilePath.name(of: path) == name
    }
  }
}
