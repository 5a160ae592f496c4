import StintSystem

/// The process at the other end of a connection to the control socket, as the system reports it.
public struct ControlPeer: Hashable, Sendable {
  /// The process id; 0 when the system does not report it, or the process is in another PID namespace.
  public let process: UInt32
  /// The user id of the process.
  public let user: UInt32
  /// The path of the executable. Nil when the system does not report the path, because the process had ended
  /// or may not be inspected.
  public let executable: String?

  /// Describes a process. Reads the path of the executable at once, because the process may end soon.
  init(process: UInt32, user: UInt32) {
    self.process = process
    self.user = user
    executable = process == 0 ? nil : Folder.target(ofLink: "/proc/\(process)/exe")
  }

  /// The peer as text for the log and the journal: `user 1000, /usr/bin/stint, process 4711`.
  public var text: String {
    guard process != 0 else { return "user \(user)" }
    return (["user \(user)"] + [executable].compactMap(\.self) + ["process \(process)"])
      .joined(separator: ", ")
  }
}
