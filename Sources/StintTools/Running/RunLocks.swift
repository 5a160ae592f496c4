import StintJournal
import StintPluginKit
import StintRuntime
import StintUnits

/// What a daemon has for itself while it runs: its state file, its journal's folder and its socket.
///
/// A second daemon with one of them would write over the first one's state, or take its callers. The locks go with the
/// process, however that ends.
struct RunLocks: Sendable {
  private let locks: [ProcessLock]

  /// Takes what the request names. Throws when another process has one of them; where the system has no locks, the run
  /// goes on without and says so.
  init(_ request: LiveRequest, log: (String) -> Void) throws(Problem) {
    var locks: [ProcessLock] = []
    if let path = request.state {
      if let lock = try Self.take(path + ".lock", of: path, option: "--state", log) { locks.append(lock) }
      let drafts = StateFile.removeDrafts(of: path)
      if drafts > 0 { log("\(path): \(drafts) drafts of processes that were killed are removed") }
    }
    if let path = request.journal {
      try JournalFolder.make(path)
      let lock = try Self.take(
        "\(path)/\(JournalFolder.lockName)", of: path, option: "--journal", log)
      if let lock { locks.append(lock) }
    }
    if let path = request.control {
      if let lock = try Self.take(path + ".lock", of: path, option: "--control", log) { locks.append(lock) }
    }
    self.locks = locks
  }

  private static func take(
    _ file: String, of path: String, option: String, _ log: (String) -> Void
  ) throws(Problem) -> ProcessLock? {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(at: file)
    } catch {
      switch error {
      case .held(let holder):
        let process = holder.map { "process \($0)" } ?? "another process"
        throw Problem(
          .file, place: path, cause: "\(process) is using it, another stint run",
          remedy: "end that one first, or name another with \(option)")
      case .refused(let number):
        let problem = Problem.system("a lock", number)
        log("\(path) is used without a lock, so a second daemon would not be noticed: \(problem)")
        return nil
      }
    }
  }
}
