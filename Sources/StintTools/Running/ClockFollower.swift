import StintFormats
import StintModel
import StintRuntime
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Follows the files from which a run's local time comes: the host's time zone, and a file with an offset for tests.
struct ClockFollower: Sendable {
  private static let zoneFile = "/etc/localtime"

  let wallClock: WallClock
  /// A file with the seconds that are added to the wall clock, to try what steps do; nil for none.
  private let offsetFile: String?
  /// Whether local time is that of the host, which its files decide.
  private let followsZone: Bool
  private let log: @Sendable (String) -> Void

  /// - Parameter zone: the name of the run's time zone, as `TimeZoneChoice` reads it; nil for a scenario's own.
  init(
    _ wallClock: WallClock, offsetFile: String?, zone: String?, log: @escaping @Sendable (String) -> Void
  ) {
    self.wallClock = wallClock
    self.offsetFile = offsetFile
    followsZone = zone == "host" && getenv("TZ") == nil && Folder.entry(at: Self.zoneFile) == .file
    self.log = log
    read()
  }

  /// What to watch.
  var targets: [WatchTarget] {
    (offsetFile.map { [.file($0)] } ?? []) + (followsZone ? [.file(Self.zoneFile)] : [])
  }

  /// Reads the files again; the wall clock tells what changed.
  func read() {
    if let offsetFile { readOffset(offsetFile) }
    guard followsZone else { return }
    do throws(Problem) {
      wallClock.move(to: try TimeZoneChoice.rules("host"))
    } catch {
      log("the host's time zone cannot be read, and local time stays as it was: \(error.cause)")
    }
  }

  private func readOffset(_ path: String) {
    do throws(Problem) {
      let text = String(decoding: try FileText.beginning(of: path, atMost: 64), as: UTF8.self)
      let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      guard let seconds = Double(word), let span = TimeSpan(seconds: seconds) else {
        log("\(path): expected a number of seconds, found “\(word)”; the clock stays as it was")
        return
      }
      wallClock.shift(by: span)
    } catch {
      if error.code != .notFound { log("\(error)") }
    }
  }
}
