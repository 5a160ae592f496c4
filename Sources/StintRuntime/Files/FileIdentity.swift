import StintSystem

/// The identity of the file at a path.
///
/// An existing file is identified by its device and its inode, so symbolic links make no difference. Hard
/// links of one file count as the same file, although replacing one of them would not change the other. A
/// path at which nothing exists is identified by its text with the links of its folder resolved.
package struct FileIdentity: Hashable, Sendable {
  private enum Key: Hashable {
    case existing(device: UInt64, inode: UInt64)
    case new(path: String)
  }

  private let key: Key

  /// Returns the identity of the file at a path. Nil for pipes and devices, such as `/dev/null`: several
  /// readers and writers may use them.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      key = .new(path: Folder.resolved(path))
      return
    }
    guard [S_IFREG, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
    key = .existing(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}
