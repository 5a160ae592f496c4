import CStintProcess

/// What a plugin's process may touch, and how far this system can see to it.
public struct ChildAccess: Hashable, Sendable {
  /// Files and folders with all in them.
  public var readable: [String]
  /// The same, to read and write.
  public var writable: [String]
  public var hasNetwork: Bool
  /// Whether system calls are filtered without libseccomp, even where it is there.
  var hasOwnFilter = false

  /// Makes an access; without arguments to nothing.
  public init(readable: [String] = [], writable: [String] = [], hasNetwork: Bool = false) {
    self.readable = readable
    self.writable = writable
    self.hasNetwork = hasNetwork
  }

  /// What every program needs to start: libraries, interpreters, names; no secrets.
  static let everybodys = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/etc/ld.so.cache",
    "/etc/localtime", "/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf", "/etc/services",
    "/etc/ssl/certs",
    "/dev/random", "/dev/urandom",
  ]
  static let harmless = ["/dev/null", "/dev/zero"]

  /// What this system can do to keep a process within its access, and what it cannot, as clauses for people.
  public static var means: (there: [String], missing: [String]) {
    var there = ["limits of memory and descriptors", "no new privileges"]
    var missing: [String] = []
    #if !os(Linux)
      return ([], ["processes of their own"])
    #else
      let version = stint_landlock_version()
      if version > 0 {
        there.append("files by Landlock \(version)")
      } else {
        missing.append("Landlock, so files are closed only by their permissions")
      }
      if stint_has_call_filter() != 0 {
        let library = stint_filter_library()
        let builder =
          library == 0
          ? "the daemon's own filter: libseccomp is not here"
          : "libseccomp \(library / 10_000).\(library / 100 % 100).\(library % 100)"
        there.append("system calls and sockets by seccomp (\(builder))")
      } else {
        missing.append("seccomp, so system calls are not filtered")
      }
      return (there, missing)
    #endif
  }
}
