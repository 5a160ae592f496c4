import CStintProcess
public import StintModel

/// The files, network and processes that a plugin's process may use, and the required containment mechanisms.
public struct ChildAccess: Hashable, Sendable {
  /// Files and folders, with their contents, that the process may read.
  public var readable: [String]
  /// Files and folders, with their contents, that the process may read and write.
  public var writable: [String]
  /// True when the process may use the network.
  public var hasNetwork: Bool
  /// True when the process may start other processes. These processes end together with the plugin's process.
  public var startsProcesses: Bool
  /// The containment mechanisms without which the process is not started.
  public var required: [ContainmentMechanism]
  /// Mechanisms that are not used although the system has them. Only tests of the containment set this value.
  var without: [ContainmentMechanism] = []
  /// True when system calls are filtered by the daemon's own filter even if libseccomp is installed.
  var hasOwnFilter = false

  /// Makes the access of a process. By default, the process may use only `commonPaths`, `harmless` and the
  /// program's own files.
  public init(
    readable: [String] = [], writable: [String] = [], hasNetwork: Bool = false, startsProcesses: Bool = false,
    required: [ContainmentMechanism] = []
  ) {
    self.readable = readable
    self.writable = writable
    self.hasNetwork = hasNetwork
    self.startsProcesses = startsProcesses
    self.required = required
  }

  /// The containment mechanisms that are applicable to a process with this access.
  var mechanisms: [ContainmentMechanism] {
    ContainmentMechanism.allCases.filter { !hasNetwork || $0 != .networkNamespace }
  }

  /// The containment mechanisms that must be available. A plugin that starts processes needs a PID namespace,
  /// because without this namespace its processes could outlive the plugin.
  var neededMechanisms: [ContainmentMechanism] { required + (startsProcesses ? [.processNamespace] : []) }

  /// True when the process may access a path in `/dev` or `/sys`.
  var controlsDevices: Bool {
    (readable + writable).contains { $0.hasPrefix("/dev/") || $0.hasPrefix("/sys/") }
  }

  /// Paths that every program may read: libraries, interpreters and name resolution. They contain no secrets.
  static let commonPaths = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/etc/ld.so.cache",
    "/etc/localtime", "/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/services",
    "/etc/ssl/certs",
    "/dev/random", "/dev/urandom",
  ]
  /// Devices that every program may read and write.
  static let harmless = ["/dev/null", "/dev/zero"]
}
