import StintPluginKit
import StintSystem
public import StintUnits

/// A group of users who may read the status of a daemon through its socket, without changing anything.
public struct ControlGroup: Hashable, Sendable {
  /// The largest number of groups of one user that Linux permits.
  private static let maxGroups = 65_536

  /// The number of the group.
  public let number: UInt32

  /// Finds a group by its name, or by its number in decimal digits.
  ///
  /// - Throws: `Problem` when the system has no group with this name. A number is not checked.
  public init(_ name: String) throws(Problem) {
    if let number = UInt32(name) {
      self.number = number
      return
    }
    guard let entry = getgrnam(name) else {
      throw Problem(
        .notFound, place: "--control-group", cause: "the system has no group “\(name)”",
        remedy: "create it with groupadd, or give the number of a group")
    }
    number = entry.pointee.gr_gid
  }

  /// Lets the members of the group connect to a socket, besides the owner of the socket.
  ///
  /// - Parameter isOpenToAll: true when the permissions of the socket already let all users connect.
  func admit(to path: String, isOpenToAll: Bool) throws(Problem) {
    guard chown(path, uid_t.max, number) == 0, isOpenToAll || chmod(path, 0o660) == 0 else {
      throw .system("the group of the socket \(path)", errno)
    }
  }

  /// Returns whether the peer of a connection was a member of the group when it connected.
  func hasPeer(of descriptor: Int32) -> Bool {
    Self.groups(ofPeer: descriptor).contains(number)
  }

  /// Returns the primary group of a peer and, if the system reports them, its other groups. Returns an empty
  /// array when the system does not report the primary group.
  private static func groups(ofPeer descriptor: Int32) -> [UInt32] {
    #if canImport(Darwin)
      var (user, group) = (uid_t(), gid_t())
      return getpeereid(descriptor, &user, &group) == 0 ? [group] : []
    #else
      // The layout of `struct ucred`: process, user and group ids.
      var credentials: [UInt32] = [0, 0, 0]
      var size = socklen_t(MemoryLayout<UInt32>.size * 3)
      guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0, size == 12 else {
        return []
      }
      var groups = [UInt32](repeating: 0, count: maxGroups)
      size = socklen_t(MemoryLayout<UInt32>.size * groups.count)
      // SO_PEERGROUPS, which some headers do not declare.
      guard getsockopt(descriptor, SOL_SOCKET, 59, &groups, &size) == 0 else { return [credentials[2]] }
      return [credentials[2]] + groups.prefix(Int(size) / MemoryLayout<UInt32>.size)
    #endif
  }
}
