/// A change of a watched file or folder.
public struct FileChange: Hashable, Sendable {
  /// The kind of a change, as far as the system reports it.
  public enum Kind: Hashable, Sendable {
    /// The file was written, or another file was moved to its path.
    case written
    /// The file was deleted or renamed.
    case removed
    /// The watched folder was deleted, renamed or unmounted. `path` is the path of the folder.
    case folderVanished
    /// The path of the watched folder leads to a folder again, or may lead to other content. Also used when a
    /// link in the folder may lead to other content. The reasons are a new folder, a replaced symbolic link,
    /// a written target of a link, and a change of permissions. `path` is the path of the folder.
    case folderReturned
    /// Changes were lost because there were too many. All files must be read again. `path` is the path of
    /// the folder.
    case missed
  }

  /// The path of the file or folder.
  public var path: String
  /// The kind of the change.
  public var kind: Kind

  /// Returns the last change of each path, sorted by path.
  static func merged(_ changes: [FileChange]) -> [FileChange] {
    var last: [String: FileChange] = [:]
    for change in changes { last[change.path] = change }
    return last.values.sorted { $0.path < $1.path }
  }
}
