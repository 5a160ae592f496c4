public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks into folders and at paths. Blocks the calling thread.
public enum Folder {
  /// What a path leads to.
  public enum Entry: Hashable, Sendable {
    case file
    case folder
    /// A pipe, a socket or a device: opening it may wait for ever.
    case other
    case nothing
  }

  /// What a path leads to, links followed.
  public static func entry(at path: String) -> Entry {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .other
    }
  }

  /// The paths of the files in a folder, not in its subfolders, whose names end in a suffix; hidden ones left
  /// out, sorted by name.
  public static func files(in folder: String, suffix: String) throws(Problem) -> [String] {
    try paths(in: folder) { name, path in name.hasSuffix(suffix) && entry(at: path) == .file }
  }

  /// The paths of the folders in a folder, hidden ones left out, sorted by name.
  public static func folders(in folder: String) throws(Problem) -> [String] {
    try paths(in: folder) { _, path in entry(at: path) == .folder }
  }

  private static func paths(
    in folder: String, where isWanted: (_ name: String, _ path: String) -> Bool
  ) throws(Problem) -> [String] {
    try names(in: folder).filter { !$0.hasPrefix(".") && isWanted($0, FilePath.join(folder, $0)) }
      .map { FilePath.join(folder, $0) }
  }

  /// All names in a folder but `.` and `..`, sorted.
  static func names(in folder: String) throws(Problem) -> [String] {
    guard let stream = opendir(folder) else { throw .from(errno, path: folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Where the name begins: the record is only as long as its name, so it must not be copied as a whole.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The `.stint` files of a folder, sorted by name; or the file itself when the path is a file's.
  public static func policies(at path: String) throws(Problem) -> [String] {
    switch entry(at: path) {
    case .folder: try files(in: path, suffix: ".stint")
    // Named by the operator: a pipe may well be what is meant.
    case .file, .other: [path]
    case .nothing: throw .from(ENOENT, path: path)
    }
  }
}
