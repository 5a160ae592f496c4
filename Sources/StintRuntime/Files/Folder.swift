import StintSystem
public import StintUnits

/// Functions that list folders and test paths. They block the calling thread.
public enum Folder {
  /// The type of a directory entry.
  public enum Entry: Hashable, Sendable {
    case file
    case folder
    /// A pipe, a socket or a device. Opening it may block without limit.
    case other
    /// Nothing exists at the path.
    case nothing
  }

  /// Returns the type of the entry at a path, with links resolved.
  public static func entry(at path: String) -> Entry {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .other
    }
  }

  /// Returns the paths of the files in a folder whose names end in `suffix`, sorted by name. Omits hidden
  /// files and subfolders.
  public static func files(in folder: String, suffix: String) throws(Problem) -> [String] {
    try paths(in: folder) { name, path in name.hasSuffix(suffix) && entry(at: path) == .file }
  }

  /// Returns the paths of the subfolders of a folder, sorted by name. Omits hidden folders.
  public static func folders(in folder: String) throws(Problem) -> [String] {
    try paths(in: folder) { _, path in entry(at: path) == .folder }
  }

  /// Returns the paths of the entries of a folder that are neither files nor folders, sorted by name. These
  /// are pipes, sockets, devices, and links to missing files. Omits hidden entries.
  public static func others(in folder: String) throws(Problem) -> [String] {
    try paths(in: folder) { _, path in [.other, .nothing].contains(entry(at: path)) }
  }

  private static func paths(
    in folder: String, where isWanted: (_ name: String, _ path: String) -> Bool
  ) throws(Problem) -> [String] {
    try names(in: folder).filter { !$0.hasPrefix(".") && isWanted($0, FilePath.join(folder, $0)) }
      .map { FilePath.join(folder, $0) }
  }

  /// Returns all names in a folder except `.` and `..`, sorted.
  static func names(in folder: String) throws(Problem) -> [String] {
    guard let stream = opendir(folder) else { throw .from(errno, path: folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Access the name in place: the record is only as long as its name, so it must not be copied as
      // a struct.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Returns the `.stint` files of a folder, sorted by name, or the path itself when it is not a folder.
  ///
  /// - Throws: `Problem` when the path cannot be read. Also when an entry of the folder has the name of a
  ///   policy and is not a file: a pipe, a folder or a link to a missing file. If such an entry were skipped,
  ///   a policy would be missing without a message.
  public static func policies(at path: String) throws(Problem) -> [String] {
    switch try existingEntry(at: path) {
    case .folder: try paths(in: path, where: { name, _ in name.hasSuffix(".stint") }).map(regularFile)
    // The operator may intentionally give a pipe.
    case .file, .other: [path]
    case .nothing: throw .from(ENOENT, path: path)
    }
  }

  /// Returns the type of the entry at a path as `entry(at:)` does, but only for an entry that exists.
  ///
  /// - Throws: `Problem` with the reason why the entry cannot be found. A missing file differs from a file in
  ///   a folder that the user may not enter.
  static func existingEntry(at path: String) throws(Problem) -> Entry {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .from(errno, path: path) }
    return entry(at: path)
  }

  private static func regularFile(_ path: String) throws(Problem) -> String {
    let cause =
      switch entry(at: path) {
      case .file: ""
      case .folder: "it is a folder with the name of a policy"
      case .other: "it is a pipe, a socket or a device with the name of a policy"
      case .nothing: "it is a link to a file that is not there"
      }
    guard cause.isEmpty else {
      throw Problem(
        .refused, place: path, cause: cause,
        remedy: "move it away, or rename it so that its name does not end in .stint")
    }
    return path
  }
}
