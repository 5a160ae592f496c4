import StintRuntime
import StintSystem
import StintUnits

/// The process of a daemon: its version, its id and the time of its start. Also the data that `status` keeps
/// between two answers.
struct DaemonIdentity: Sendable {
  /// The version of the program; nil when a host app runs the daemon.
  let version: String?
  /// The limit of the log.
  var logBudget = LogBudget(at: LogBudget.now)
  /// Returns the number of lines that the output of the program has dropped.
  var droppedOutput: @Sendable () -> Int = { 0 }
  /// The hashes of the policies in force and of the earlier ones.
  let hashes = TextHashes()
  let process = getpid()
  /// The time of the monotonic clock when the daemon was made.
  let started = SystemClock.monotonic()

  /// The version and the process in one line, without the uptime.
  var text: String { "\(version.map { "stint \($0)" } ?? "in an app"), process \(process)" }
}
