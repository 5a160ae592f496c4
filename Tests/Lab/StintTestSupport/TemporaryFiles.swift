import StintModel
import StintRuntime
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Temporary files of a test. They are removed when this object is destroyed.
public final class TemporaryFiles: Sendable {
  private let paths = Locked<[String]>([])
  private static let count = Atomic<Int>(0)

  public init() {}

  deinit { for path in paths.withLock({ $0 }) { Self.remove(path) } }

  private static func remove(_ path: String) {
    guard Folder.entry(at: path) == .folder, let stream = opendir(path) else {
      unlink(path)
      return
    }
    var names: [String] = []
    while let entry = readdir(stream) {
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      names.append(String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)))
    }
    closedir(stream)
    for name in names where name != "." && name != ".." { remove(path + "/" + name) }
    rmdir(path)
  }

  /// Returns the path of a file that does not exist yet.
  public func path(_ name: String) -> String {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let path = "/tmp/stint-\(getpid())-\(number)-\(name)"
    paths.withLock { $0.append(path) }
    return path
  }

  /// Writes a new file with this text and returns its path.
  public func file(_ name: String, _ text: String) throws -> String {
    let path = path(name)
    try FileText.write(Array(text.utf8), to: path)
    return path
  }

  /// Writes a scenario with a trail app and a few messages. It has four minutes of walking, three of rest,
  /// and two of walking.
  public func walk() throws -> String {
    try file(
      "walk.json",
      """
      {"stint_scenario": 1, "name": "walk", "title": "A short walk", "start": "2026-05-16T08:00:00+02:00",
       "duration": "9 min",
       "world": {"origin": [47.05, 8.31],
                 "legs": [{"activity": "walking", "for": "4 min", "speed": "1.4 m/s", "heading": "40 deg"},
                          {"activity": "still", "for": "3 min"},
                          {"activity": "walking", "for": "2 min", "speed": "1.4 m/s", "heading": "80 deg"}]},
       "clients": [{"name": "trail-app",
                    "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m", "rate": "1 Hz"}},
                                {"target": "motion.accelerometer", "with": {"rate": "10 Hz"}}]},
                   {"name": "mail",
                    "transfers": [{"target": "radio.cellular", "first": "30 s", "every": "1 min", "up": "20 kB",
                                   "down": "0 B", "deadline": "3 min"}]}],
       "facts": [{"at": "0 s", "set": {"app.state": "background"}}]}
      """)
  }

  /// Writes a policy for the scenario of `walk()`. The policy pauses the receiver after a minute
  /// without movement.
  public func policy() throws -> String {
    try file(
      "walk.stint",
      """
      policy "walk" version 1
      use location.gnss as gps required
      use motion.accelerometer as accel
      use radio.cellular as cell
      rule hold while app.state is background { batch gps until 100 m or 1 min  batch cell until 2 min }
      rule still while motion.activity is still for 1 min { pause gps }
      rule steps always { batch accel until 6 s }
      """)
  }
}
