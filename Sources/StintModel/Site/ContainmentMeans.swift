/// One of the means by which a system keeps a plugin's process within what it may touch.
///
/// A system may lack some of them. The raw value is the word by which a site file requires a means.
public enum ContainmentMeans: String, Hashable, Sendable, CaseIterable {
  /// Its users are those of the system without their powers.
  case userNamespace = "user-namespace"
  /// It sees only the files that are given to it, and its own files as they were sealed.
  case mountNamespace = "mount-namespace"
  /// It sees no other process, and what it starts ends with it.
  case processNamespace = "pid-namespace"
  /// It shares no memory segment and no message queue with others.
  case ipcNamespace = "ipc-namespace"
  /// It has no network interface; for plugins without `network`.
  case networkNamespace = "network-namespace"
  /// It runs as another user than a daemon that is root.
  case ownUser = "own-user"
  /// Files that are not given to it are closed by Landlock.
  case landlock
  /// System calls that are not on the list of allowed ones are refused.
  case callFilter = "seccomp"
  /// Refused calls are counted, and `stint status` names them.
  case callNotice = "seccomp-notice"
  /// Its threads and processes are limited in number.
  case processLimit = "process-limit"
  /// Memory and processes of all that it starts are limited together, by a cgroup of version 2.
  case cgroup
}
