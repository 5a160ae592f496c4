import StintFormats
import StintModel
import StintRuntime
import StintSystem
import StintUnits

/// Follows the files that determine a run's local time: the host's time zone, and a test file with an offset.
struct ClockFollower: Sendable {
  private static let zoneFile = "/etc/localtime"

  let wallClock: WallClock
  /// A file with the seconds to add to the wall clock, for tests of clock steps. Nil without such a file.
  private let offsetFile: String?
  /// True when the run uses the host's time zone from its zone file.
  private let followsZone: Bool
  private let log: RunLog

  /// - Parameter zone: the name of the run's time zone, as `TimeZoneChoice` parses it. Nil for the time zone
  ///   of a scenario or app.
  init(
    _ wallClock: WallClock, offsetFile: String?, zone: String?, log: RunLog
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

  /// Reads the files again on other threads. The wall clock then reports the changes.
  ///
  /// - Parameter notify: makes the host compare the clock; called on the thread of the loop.
  func follow(on files: FileWorker, _ loop: LoopExecutor, notify: @escaping @Sendable () -> Void) {
    guard !targets.isEmpty else { return }
    Spawner.start(on: loop) {
      for reading in readings {
        do throws(Problem) {
          let change = try await files.run(
            reading.purpose, reading.path, whenLate: { follow(on: files, loop, notify: notify) }, reading.read
          )
          change()
          notify()
        } catch {
          // The worker has logged the problem.
        }
      }
    }
  }

  /// Reads the files on the calling thread, before the run.
  private func read() { for reading in readings { reading.read()() } }

  /// A file, with a function that reads it and returns the resulting change of the wall clock.
  private struct Reading {
    let purpose: String
    let path: String
    let read: @Sendable () -> @Sendable () -> Void
  }

  private var readings: [Reading] {
    let offset = offsetFile.map { path in
      Reading(purpose: "reading the offset of the clock", path: path) { readOffset(path) }
    }
    let zone =
      followsZone ? Reading(purpose: "reading the time zone", path: Self.zoneFile, read: readZone) : nil
    return [offset, zone].compactMap(\.self)
  }

  private func readZone() -> @Sendable () -> Void {
    do throws(Problem) {
      let rules = try TimeZoneChoice.rules("host")
      return { wallClock.move(to: rules) }
    } catch {
      return { [cause = error.cause] in
        log.problem("the host's time zone cannot be read; local time is unchanged: \(cause)")
      }
    }
  }

  private func readOffset(_ path: String) -> @Sendable () -> Void {
    do throws(Problem) {
      let text = String(decoding: try FileText.beginning(of: path, atMost: 64), as: UTF8.self)
      let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      guard let seconds = Double(word), let span = TimeSpan(seconds: seconds) else {
        return {
          log.problem("\(path): expected a number of seconds, found “\(word)”; the clock is unchanged")
        }
      }
      return { wallClock.shift(by: span) }
    } catch {
      return { [error] in if error.code != .notFound { log.problem("\(error)") } }
    }
  }
}
