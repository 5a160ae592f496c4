import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The user that a plugin's process runs as where the daemon is root.
struct ChildUser: Hashable, Sendable {
  /// The users that systems keep free for services that come and go.
  private static let users: ClosedRange<UInt32> = 61_184...65_519

  /// The number of the user and of its group.
  let number: UInt32
  /// The groups by which it reaches what is given to it, sorted.
  let groups: [UInt32]

  /// The user for a plugin; nil where the daemon is not root, or only root reaches what the plugin is given.
  ///
  /// - Parameter folder: the folder from which the program runs; nil where it runs from sealed memory.
  init?(name: String, access: ChildAccess, folder: String? = nil) {
    guard geteuid() == 0 else { return nil }
    var groups: Set<UInt32> = []
    let readable = access.readable + (folder.map { [$0] } ?? [])
    let paths = readable.map { ($0, false) } + access.writable.map { ($0, true) }
    for (path, writes) in paths {
      guard let group = Self.way(to: path, writes: writes) else { return nil }
      if group != 0 { groups.insert(group) }
    }
    guard groups.count <= 32 else { return nil }
    let hash = name.utf8.reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    number = Self.users.lowerBound + hash % UInt32(Self.users.count)
    self.groups = groups.sorted()
  }

  /// The group by which a path is reached, 0 where everyone reaches it or it is not there; nil where only root does.
  private static func way(to path: String, writes: Bool) -> UInt32? {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    let kind = status.st_mode & S_IFMT
    // One connects to a socket by writing to it.
    let needed: mode_t = (writes || kind == S_IFSOCK ? 6 : 4) | (kind == S_IFDIR ? 1 : 0)
    if status.st_mode & needed == needed { return 0 }
    return status.st_gid != 0 && status.st_mode >> 3 & needed == needed ? status.st_gid : nil
  }
}
