import StintRuntime
import StintSystem
import StintUnits

/// The identity of a daemon: its version, its process id and the time of its start. Also contains state that
/// all replies to `status` share: the log limit, the numbers of dropped output lines and unreceived events,
/// and a cache of policy hashes.
struct DaemonInfo: Sendable {
  /// The version of the program; nil when an app runs the daemon.
  let version: String?
  /// The rate limit for log lines that are caused by devices and clients.
  var logBudget = LogBudget(at: LogBudget.now)
  /// Returns the number of output lines that the program has dropped (`Console.droppedLines`).
  var droppedOutput: @Sendable () -> Int = { 0 }
  /// Returns the number of events that client programs did not receive.
  var unreceivedEvents: @Sendable () -> Int = { 0 }
  /// The hashes of the policies in force and of the earlier policies.
  let hashes = TextHashes()
  let process = getpid()
  /// The time of the monotonic clock when the daemon was made.
  let started = SystemClock.monotonic()

  /// The version and the process in one line, without the uptime.
  var text: String { "\(version.map { "stint \($0)" } ?? "in an app"), process \(process)" }
}
