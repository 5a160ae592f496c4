import StintSystem

/// The identity of the file at a path. Two paths have equal identities when a change of the file at one path
/// also changes the file at the other path.
///
/// An existing file is identified by its device and its inode, so links make no difference. A path at which
/// nothing exists is identified by its text with the links of its folder resolved.
public struct FileIdentity: Hashable, Sendable {
  private enum Key: Hashable {
    case existing(device: UInt64, inode: UInt64)
    case new(path: String)
  }

  private let key: Key

  /// Returns the identity of the file at a path. Nil for pipes and devices, such as `/dev/null`: several
  /// readers and writers may use them.
  public init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      key = .new(path: Folder.resolved(path))
      return
    }
    guard [S_IFREG, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
    key = .existing(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
  }
}
