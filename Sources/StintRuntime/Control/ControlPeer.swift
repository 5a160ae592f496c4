#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process at the other end of a connection to the control socket, as the system reports it.
public struct ControlPeer: Hashable, Sendable {
  /// The process id; 0 when the system does not report it, or the process is in another PID namespace.
  public let process: UInt32
  /// The user id of the process.
  public let user: UInt32

  /// Returns the peer as text for the log and the journal: `user 1000, /usr/bin/stint, process 4711`.
  ///
  /// Blocks while the system finds the executable. The executable is missing when the process has ended or
  /// may not be inspected.
  public var text: String {
    guard process != 0 else { return "user \(user)" }
    return (["user \(user)"] + [executable].compactMap(\.self) + ["process \(process)"])
      .joined(separator: ", ")
  }

  /// The path of the executable; nil when the system does not report it.
  private var executable: String? { Folder.target(ofLink: "/proc/\(process)/exe") }
}
