/// Something happened to a watched file or folder.
public struct FileChange: Hashable, Sendable {
  /// What happened, as far as it can be known.
  public enum Kind: Hashable, Sendable {
    /// The file was written, or another file took its name.
    case written
    /// The file was deleted or got another name.
    case removed
    /// The watched folder was deleted, renamed or unmounted; the path is the folder's.
    case folderVanished
    /// A folder with the watched folder's name is there again, or another one in its place: a link on the way was
    /// swapped, or permissions changed. The path is the folder's.
    case folderReturned
    /// So much happened that changes were lost: everything is to be read again. The path is the folder's.
    case missed
  }

  public var path: String
  public var kind: Kind

  /// Makes a change.
  public init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// One change for each path, the last one, sorted by path.
  static func merged(_ changes: [FileChange]) -> [FileChange] {
    var last: [String: FileChange] = [:]
    for change in changes { last[change.path] = change }
    return last.values.sorted { $0.path < $1.path }
  }
}
