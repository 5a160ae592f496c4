import CStintProcess
public import StintModel

/// A report of the containment mechanisms that this system has and lacks, as sentences for operators.
public struct ContainmentReport: Sendable {
  private let available: [ContainmentMechanism]
  /// The available mechanisms.
  public let present: [String]
  /// The missing mechanisms, each with the consequence.
  public let missing: [String]

  /// Returns whether this system can apply a mechanism to a plugin that has no permissions.
  public func includes(_ means: ContainmentMechanism) -> Bool { available.contains(means) }

  /// The report of this system. The first access makes the report: the host then starts contained processes
  /// that run no program.
  public static let current = ContainmentReport(available: SpawnedChild.probe())

  private init(available: [ContainmentMechanism]) {
    self.available = available
    #if os(Linux)
      present =
        ["limits of memory and descriptors", "no new privileges"]
        + available.map { Self.presence(of: $0) }
      missing = ContainmentMechanism.allCases.filter { !available.contains($0) }.map { Self.absence(of: $0) }
    #else
      present = []
      missing = ["plugins in separate processes"]
    #endif
  }

  private static func presence(of means: ContainmentMechanism) -> String {
    switch means {
    case .landlock: return "files by landlock \(stint_landlock_version())"
    case .callFilter:
      let library = stint_filter_library()
      let builder =
        library == 0
        ? "the daemon's own filter: libseccomp is not installed"
        : "libseccomp \(library / 10_000).\(library / 100 % 100).\(library % 100)"
      return "system calls and sockets by seccomp (\(builder))"
    default: return means.rawValue
    }
  }

  private static func absence(of means: ContainmentMechanism) -> String {
    let consequence =
      switch means {
      case .userNamespace: "a plugin shares the system's user ids"
      case .mountNamespace:
        "a plugin can read the system's files, and its own files are verified only at its start"
      case .processNamespace: "a plugin sees other processes and may not start any"
      case .ipcNamespace: "a plugin shares the system's memory segments"
      case .networkNamespace: "only denied system calls keep a plugin from the network"
      case .ownUser: "a plugin runs as the daemon's user"
      case .landlock: "only the namespace and file permissions protect files"
      case .callFilter: "system calls are not filtered"
      case .callNotice: "denied system calls are not counted"
      case .processLimit: "only the memory limit bounds the number of a plugin's threads"
      case .cgroup: "memory and processes are limited per process, not in total"
      }
    return "\(means.rawValue), so \(consequence)"
  }
}
