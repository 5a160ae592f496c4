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

/// Follows the files that determine a run's local time: the host's time zone, and a test file with an offset.
struct ClockFollower: Sendable {
  private static let zoneFile = "/etc/localtime"

  let wallClock: WallClock
  /// A file with the seconds to add to the wall clock, to test clock steps; nil for none.
  private let offsetFile: String?
  /// True when the run uses the host's time zone from its zone file.
  private let followsZone: Bool
  private let log: @Sendable (String) -> Void

  /// - Parameter zone: the name of the run's time zone, as `TimeZoneChoice` parses it; nil for a scenario's
  ///   own.
  init(
    _ wallClock: WallClock, offsetFile: String?, zone: String?, log: @escaping @Sendable (String) -> Void
  ) {
    self.wallClock = wallClock
    self.offsetFile = offsetFile
    followsZone = zone == "host" && getenv("TZ") == nil && Folder.entry(at: Self.zoneFile) == .file
    self.log = log
    read()
  }

  /// The files to watch.
  var targets: [WatchTarget] {
    (offsetFile.map { [.file($0)] } ?? []) + (followsZone ? [.file(Self.zoneFile)] : [])
  }

  /// Reads the files again. The wall clock then reports the changes.
  func read() {
    if let offsetFile { readOffset(offsetFile) }
    guard followsZone else { return }
    do throws(Problem) {
      wallClock.move(to: try TimeZoneChoice.rules("host"))
    } catch {
      log("the host's time zone cannot be read; local time is unchanged: \(error.cause)")
    }
  }

  private func readOffset(_ path: String) {
    do throws(Problem) {
      let text = String(decoding: try FileText.beginning(of: path, atMost: 64), as: UTF8.self)
      let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      guard let seconds = Double(word), let span = TimeSpan(seconds: seconds) else {
        log("\(path): expected a number of seconds, found “\(word)”; the clock is unchanged")
        return
      }
      wallClock.shift(by: span)
    } catch {
      if error.code != .notFound { log("\(error)") }
    }
  }
}
