import StintJournal
import StintModel
import StintPluginKit
import StintRuntime
import StintUnits

/// Exclusive locks of a daemon on its state file, its services file, its journal folder and its socket.
///
/// A second daemon with the same paths would overwrite the state of the first daemon, or receive its
/// requests. The system releases the locks when the process ends in any manner.
final class RunLocks: Sendable {
  private let locks: Locked<[ProcessLock]>

  /// Locks the paths of the options. On a system without locks, the run logs this and continues without
  /// locks.
  ///
  /// - Throws: `Problem` when another process holds a lock, two options name the same path, or a file or
  ///   folder cannot be used.
  ///
  /// - Parameter whenControlIsLocked: called when the process holds the lock of the socket.
  init(
    _ options: DaemonOptions, log: RunLog, whenControlIsLocked: () -> Void = {}
  ) throws(Problem) {
    var locks: [ProcessLock] = []
    // The socket comes first, because questions are answered while the file systems of the other paths
    // do not respond.
    if let path = options.control {
      try Self.requireFolder(of: path, option: "--control")
      if let lock = try Self.take(path + ".lock", of: path, " with --control", options, log) {
        locks.append(lock)
      }
      whenControlIsLocked()
    }
    try Self.requireDistinctPaths(options)
    if let path = options.state {
      try Self.requireFolder(of: path, option: "--state")
      try StateFile.requireFile(path)
      try FileText.requireWritable(path)
      if let lock = try Self.take(path + ".lock", of: path, " with --state", options, log) {
        locks.append(lock)
      }
      let drafts = StateFile.removeDrafts(of: path)
      if drafts > 0 {
        let removed = drafts == 1 ? "1 temporary file" : "\(drafts) temporary files"
        log("\(path): removed \(removed) of killed processes")
      }
    }
    if let path = options.journal {
      // Only a new folder of journals needs write permission for the folder above.
      if Folder.entry(at: path) != .folder { try Self.requireFolder(of: path, option: "--journal") }
      try JournalFolder.make(path)
      try Self.requireFolder(of: "\(path)/\(JournalFolder.lockName)", option: "--journal")
      let lock = try Self.take(
        "\(path)/\(JournalFolder.lockName)", of: path, " with --journal", options, log)
      if let lock { locks.append(lock) }
    }
    if let path = options.services {
      if let lock = try Self.take(path + ".lock", of: path, "", options, log) { locks.append(lock) }
    }
    self.locks = Locked(locks)
  }

  /// Throws when a written file of the run has the same path as another file of the run.
  private static func requireDistinctPaths(_ options: DaemonOptions) throws(Problem) {
    let inputs = options.inputs + (options.policies.map { [("--policies", $0)] } ?? [])
    let outputs = [
      ("--state", options.state), ("--state", options.state.map { $0 + ".permissions" }),
      ("--journal", options.journal), ("--control", options.control), ("services", options.services),
    ].compactMap { option, path in path.map { (option, $0) } }
    let paths = (inputs + outputs).map { ($0.0, $0.1, FileIdentity(of: $0.1)) }
    for (index, (option, path, file)) in paths.enumerated().dropFirst(inputs.count) where file != nil {
      guard let same = paths[..<index].first(where: { $0.2 == file }) else { continue }
      throw Problem(
        .file, place: path, cause: "\(same.0) and \(option) name the same path",
        remedy: "choose another path for one of them")
    }
  }

  /// Throws when the folder of a file is missing or not writable.
  private static func requireFolder(of path: String, option: String) throws(Problem) {
    do throws(Problem) {
      try FileText.requireFolder(of: path)
    } catch {
      let remedy = error.remedy.hasSuffix(Problem.otherPath) ? "\(error.remedy) with \(option)" : error.remedy
      throw Problem(error.code, place: error.place, cause: error.cause, remedy: remedy)
    }
  }

  /// Releases the locks at the end of the run.
  func release() { locks.withLock { $0 = [] } }

  /// - Parameter withOption: how the command sets the path, such as ` with --state`.
  private static func take(
    _ file: String, of path: String, _ withOption: String, _ options: DaemonOptions, _ log: RunLog
  ) throws(Problem) -> ProcessLock? {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(at: file)
    } catch {
      switch error {
      case .held(let holder):
        let process = holder.map { "process \($0)" } ?? "another process"
        throw Problem(
          .inUse, place: path, cause: "another daemon or bus is using it, in \(process)",
          remedy: "end it first, or choose another path\(options.ownsProcess ? withOption : "")")
      case .refused(let number):
        let problem = Problem.from(number, path: file)
        log.problem("\(path) is used without a lock, so a second daemon would not be detected: \(problem)")
        return nil
      }
    }
  }
}
