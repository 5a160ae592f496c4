import CStintProcess
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A cgroup of version 2 for one life of a plugin's process: its memory and its processes are limited together.
///
/// It is made below the daemon's own cgroup, which the operator has to delegate with the controllers `memory`
/// and `pids` and without a process in it, as a unit of systemd with `Delegate=yes` and
/// `DelegateSubgroup=daemon` is.
struct PluginCgroup: Sendable {
  /// The daemon makes many in its life, each under another name.
  private static let made = Atomic<UInt64>(0)

  private let folder: String
  /// The descriptor of `cgroup.procs`, for the process to be entered.
  let processes: Int32

  /// Makes the cgroup; nil where this system or the daemon's own cgroup does not allow it.
  ///
  /// - Parameters:
  ///   - memory: the most memory, in bytes.
  ///   - processes: the most processes and threads.
  init?(memory: UInt64, processes: UInt64) {
    guard let parents = Self.parents(cgroups: "/proc/self/cgroup", mounts: "/proc/self/mounts") else {
      return nil
    }
    self.init(memory: memory, processes: processes, below: parents)
  }

  /// Makes the cgroup below the first of the folders that has both controllers.
  init?(memory: UInt64, processes: UInt64, below parents: [String]) {
    let number = Self.made.add(1, ordering: .relaxed).newValue
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

  /// Ends what is left in it, and removes it.
  func remove() {
    close(processes)
    _ = Self.write("1", to: folder + "/cgroup.kill")
    rmdir(folder)
  }

  /// The daemon's own cgroup, and the one above where that was delegated; nil where there is no hierarchy of version 2.
  static func parents(cgroups: String, mounts: String) -> [String]? {
    guard
      let own = read(cgroups)?.split(separator: "\n").first(where: { $0.hasPrefix("0::/") })?.dropFirst(3),
      let mount = read(mounts)?.split(separator: "\n").lazy.map({ $0.split(separator: " ") })
        .first(where: { $0.count > 2 && $0[2] == "cgroup2" })?[1]
    else { return nil }
    let folder = String(mount) + (own == "/" ? "" : String(own))
    guard own != "/", let slash = folder.lastIndex(of: "/") else { return [folder] }
    let above = String(folder[..<slash])
    return stint_is_delegated(above) != 0 ? [folder, above] : [folder]
  }

  private static func hasControllers(_ folder: String) -> Bool {
    let control = folder + "/cgroup.subtree_control"
    func isOn() -> Bool {
      let words = read(control)?.split { $0 == " " || $0 == "\n" } ?? []
      return words.contains("memory") && words.contains("pids")
    }
    if isOn() { return true }
    _ = write("+memory +pids", to: control)
    return isOn()
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
