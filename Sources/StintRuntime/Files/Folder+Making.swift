import StintSystem
public import StintUnits

extension Folder {
  /// Creates a folder and its missing parents.
  public static func make(_ path: String) throws(Problem) {
    if path.isEmpty || entry(at: path) == .folder { return }
    try make(FilePath.parent(of: path))
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .from(errno, path: path) }
  }

  /// Returns the absolute path with links resolved. Returns nil when nothing exists at the path.
  public static func absolute(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the absolute path with links resolved, also when nothing exists at the path yet. When its folder
  /// does not exist, returns the given path without a trailing slash.
  package static func resolved(_ path: String) -> String {
    if let absolute = absolute(path) { return absolute }
    guard let folder = absolute(FilePath.parent(of: path)) else { return FilePath.withoutTrailingSlash(path) }
    return FilePath.join(folder, FilePath.name(of: path))
  }

  /// Returns the path that a symbolic link contains; nil when it cannot be read.
  static func target(ofLink link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer -> Int in
      guard let start = buffer.baseAddress else { return -1 }
      return readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  /// Makes a file executable for all users who may read it.
  public static func makeRunnable(_ path: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .from(errno, path: path) }
    let readBits = status.st_mode & 0o444
    guard chmod(path, status.st_mode & 0o7777 | readBits >> 2) == 0 else { throw .from(errno, path: path) }
  }

  /// Returns true when this process may execute the file.
  public static func isRunnable(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
