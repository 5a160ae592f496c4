import CStintProcess
public import StintModel

/// What a plugin's process may touch, and how far this system can see to it.
public struct ChildAccess: Hashable, Sendable {
  /// Files and folders with all in them.
  public var readable: [String]
  /// Files and folders with all in them, to read and write.
  public var writable: [String]
  public var hasNetwork: Bool
  /// Whether it may start processes, all of which end with it.
  public var startsProcesses: Bool
  /// The means of containment without which it is not started.
  public var required: [ContainmentMeans]
  /// Means that are left out although the system has them.
  var without: [ContainmentMeans] = []
  /// Whether system calls are filtered without libseccomp, even where it is there.
  var hasOwnFilter = false

  /// Makes an access; without arguments to nothing.
  public init(
    readable: [String] = [], writable: [String] = [], hasNetwork: Bool = false, startsProcesses: Bool = false,
    required: [ContainmentMeans] = []
  ) {
    self.readable = readable
    self.writable = writable
    self.hasNetwork = hasNetwork
    self.startsProcesses = startsProcesses
    self.required = required
  }

  /// The means that can keep a process with this access in.
  var means: [ContainmentMeans] {
    ContainmentMeans.allCases.filter { !hasNetwork || $0 != .networkNamespace }
  }

  /// What must hold: without a namespace of processes, what a process starts could outlive it.
  var neededMeans: [ContainmentMeans] { required + (startsProcesses ? [.processNamespace] : []) }

  /// Whether a device is among what it may write.
  var controlsDevices: Bool {
    (readable + writable).contains { $0.hasPrefix("/dev/") || $0.hasPrefix("/sys/") }
  }

  /// What every program needs to start: libraries, interpreters, names; no secrets.
  static let commonPaths = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/etc/ld.so.cache",
    "/etc/localtime", "/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/services",
    "/etc/ssl/certs",
    "/dev/random", "/dev/urandom",
  ]
  static let harmless = ["/dev/null", "/dev/zero"]
}
