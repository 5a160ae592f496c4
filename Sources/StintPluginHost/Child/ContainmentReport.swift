import CStintProcess
public import StintModel

/// What this system can do to keep a plugin's process within its access, and what it cannot, as clauses for people.
public struct ContainmentReport: Sendable {
  private let held: [ContainmentMeans]
  /// What holds.
  public let there: [String]
  /// What does not, and what follows from that.
  public let missing: [String]

  /// Whether a means holds for a plugin that asks for nothing.
  public func holds(_ means: ContainmentMeans) -> Bool { held.contains(means) }

  /// The report of this system, found out once by contained processes that run no program.
  public static let here = ContainmentReport(held: SpawnedChild.probe())

  private init(held: [ContainmentMeans]) {
    self.held = held
    #if os(Linux)
      there = ["limits of memory and descriptors", "no new privileges"] + held.map { Self.presence(of: $0) }
      missing = ContainmentMeans.allCases.filter { !held.contains($0) }.map { Self.absence(of: $0) }
    #else
      there = []
      missing = ["processes of their own"]
    #endif
  }

  private static func presence(of means: ContainmentMeans) -> String {
    switch means {
    case .landlock: return "files by landlock \(stint_landlock_version())"
    case .callFilter:
      let library = stint_filter_library()
      let builder =
        library == 0
        ? "the daemon's own filter: libseccomp is not here"
        : "libseccomp \(library / 10_000).\(library / 100 % 100).\(library % 100)"
      return "system calls and sockets by seccomp (\(builder))"
    default: return means.rawValue
    }
  }

  private static func absence(of means: ContainmentMeans) -> String {
    let consequence =
      switch means {
      case .userNamespace: "its users are the system's"
      case .mountNamespace: "it sees the system's files, and its own are verified at its start only"
      case .processNamespace: "it sees other processes, and must not start any"
      case .ipcNamespace: "it shares the system's memory segments"
      case .networkNamespace: "only refused calls keep it from the network"
      case .ownUser: "it runs as the daemon's user"
      case .landlock: "files are closed only by the namespace and their permissions"
      case .callFilter: "system calls are not filtered"
      case .callNotice: "refused calls are not counted"
      case .processLimit: "its threads are limited only by their memory"
      case .cgroup: "memory and processes are limited for each process alone"
      }
    return "\(means.rawValue), so \(consequence)"
  }
}
