import StintModel
import StintSystem

/// The unprivileged user of a plugin's process when the daemon runs as root.
struct ChildUser: Hashable, Sendable {
  /// The user ids that systems reserve for dynamic services.
  private static let users: ClosedRange<UInt32> = 61_184...65_519

  /// The user id, which is also the group id.
  let number: UInt32
  /// The supplementary groups that give access to the allowed paths, sorted.
  let groups: [UInt32]

  /// Chooses the user for a plugin.
  ///
  /// - Parameter folder: the folder from which the program runs; nil when it runs from sealed memory.
  /// - Returns: nil when the daemon is not root, when only the owner or root's group can access an allowed
  ///   path, or when the paths need more than 32 groups.
  init?(name: String, access: ChildAccess, folder: String? = nil) {
    guard geteuid() == 0 else { return nil }
    var groups: Set<UInt32> = []
    let readable = access.readable + (folder.map { [$0] } ?? [])
    let paths = readable.map { ($0, false) } + access.writable.map { ($0, true) }
    for (path, writes) in paths {
      guard let group = Self.accessGroup(of: path, writes: writes) else { return nil }
      if group != 0 { groups.insert(group) }
    }
    guard groups.count <= 32 else { return nil }
    let hash = name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    number = Self.users.lowerBound + hash % UInt32(Self.users.count)
    self.groups = groups.sorted()
  }

  /// Returns the id of the group that gives access to a path. The id is 0 when every user has access or the
  /// path does not exist. Nil when only the owner or root's group has access.
  private static func accessGroup(of path: String, writes: Bool) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    let kind = status.st_mode & S_IFMT
    // Connecting to a socket needs write permission.
    let needed: mode_t = (writes || kind == S_IFSOCK ? 6 : 4) | (kind == S_IFDIR ? 1 : 0)
    if status.st_mode & needed == needed { return 0 }
    return status.st_gid != 0 && status.st_mode >> 3 & needed == needed ? status.st_gid : nil
  }
}
