import CStintProcess
import StintSystem
import Synchronization

/// A version-2 cgroup for one process of a plugin and all processes that it starts. The cgroup limits their
/// memory and their number in total.
///
/// The new cgroup is a child of the daemon's own cgroup, or of that cgroup's parent if the operator has
/// delegated the parent. This parent must enable the controllers `memory` and `pids` for its children. The
/// kernel permits this only in a cgroup that contains no process itself. systemd provides such a cgroup for a
/// unit with `Delegate=yes` and `DelegateSubgroup=daemon`: the daemon is then in a subgroup of the unit's
/// cgroup.
struct PluginCgroup: Sendable {
  /// The number of cgroups made by this daemon, for unique names.
  private static let madeCount = Atomic<UInt64>(0)

  private let folder: String
  /// The descriptor of `cgroup.procs`, through which the process enters the cgroup.
  let processes: Int32

  /// Makes a cgroup.
  ///
  /// - Parameters:
  ///   - memory: the memory limit, in bytes.
  ///   - processes: the maximum number of processes and threads.
  /// - Returns: nil when this system allows no new cgroup below the daemon's own cgroup or its parent.
  init?(memory: UInt64, processes: UInt64) {
    guard let parents = Self.parents(cgroups: "/proc/self/cgroup", mounts: "/proc/self/mounts") else {
      return nil
    }
    self.init(memory: memory, processes: processes, below: parents)
  }

  /// Makes the cgroup below the first parent that has both controllers.
  init?(memory: UInt64, processes: UInt64, below parents: [String]) {
    let number = Self.madeCount.add(1, ordering: .relaxed).newValue
    for parent in parents where Self.hasControllers(parent) {
      let folder = "\(parent)/stint-\(getpid())-\(number)"
      guard mkdir(folder, 0o755) == 0 else { continue }
      let isLimited =
        Self.write("\(memory)", to: folder + "/memory.max")
        && Self.write("\(processes)", to: folder + "/pids.max")
      let file = isLimited ? open(folder + "/cgroup.procs", O_WRONLY | O_CLOEXEC) : -1
      guard file >= 0 else {
        rmdir(folder)
        continue
      }
      self.folder = folder
      self.processes = file
      return
    }
    return nil
  }

  /// Kills the remaining processes and removes the cgroup.
  func remove() {
    close(processes)
    _ = Self.write("1", to: folder + "/cgroup.kill")
    rmdir(folder)
  }

  /// Returns the daemon's own cgroup, followed by its parent if the parent was delegated. Returns nil when
  /// the system has no version-2 hierarchy.
  static func parents(cgroups: String, mounts: String) -> [String]? {
    guard let own = ownPath(in: cgroups), let mount = mountPoint(in: mounts) else { return nil }
    let folder = own == "/" ? mount : mount + own
    guard own != "/", let slash = folder.lastIndex(of: "/") else { return [folder] }
    let above = String(folder[..<slash])
    return stint_is_delegated(above) != 0 ? [folder, above] : [folder]
  }

  /// Returns the path of the daemon's cgroup within the version-2 hierarchy; nil without this hierarchy.
  private static func ownPath(in cgroups: String) -> String? {
    for line in read(cgroups)?.split(separator: "\n") ?? [] where line.hasPrefix("0::/") {
      return String(line.dropFirst(3))
    }
    return nil
  }

  /// Returns the folder at which the version-2 hierarchy is mounted; nil when it is not mounted.
  private static func mountPoint(in mounts: String) -> String? {
    for line in read(mounts)?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ")
      if words.count > 2, words[2] == "cgroup2" { return String(words[1]) }
    }
    return nil
  }

  private static func hasControllers(_ folder: String) -> Bool {
    let control = folder + "/cgroup.subtree_control"
    func areEnabled() -> Bool {
      let words = read(control)?.split { $0 == " " || $0 == "\n" } ?? []
      return words.contains("memory") && words.contains("pids")
    }
    if areEnabled() { return true }
    _ = write("+memory +pids", to: control)
    return areEnabled()
  }

  private static func write(_ text: String, to path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(text.utf8)
    return systemWrite(file, bytes) == bytes.count
  }

  private static func systemWrite(_ file: Int32, _ bytes: [UInt8]) -> Int {
    #if canImport(Glibc)
      Glibc.write(file, bytes, bytes.count)
    #elseif canImport(Musl)
      Musl.write(file, bytes, bytes.count)
    #else
      Darwin.write(file, bytes, bytes.count)
    #endif
  }

  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20, let part = SpawnedChild.receive(from: file, into: &buffer), !part.isEmpty {
      bytes += part
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
