import StintModel
public import StintUnits

/// A worker that accesses files on separate threads, each access with a deadline. So a file system that does
/// not respond does not delay the loop.
///
/// An access that misses its deadline is a `Problem` in the log and in `problems`; its thread remains until
/// the system call returns. Until then, no other access with this purpose and path is started. An idle worker
/// has no thread.
public final class FileWorker: Sendable {
  /// The time limit of an access: 5 s.
  public static let timeout = TimeSpan.seconds(5)

  private struct Key: Hashable, Comparable {
    let path: String
    let purpose: String

    static func < (left: Key, right: Key) -> Bool {
      (left.path, left.purpose) < (right.path, right.purpose)
    }
  }

  private struct Access {
    let since: MonotonicInstant
    var isOverdue = false
    /// Called when the overdue access has ended.
    var whenLate: [@Sendable () -> Void] = []
  }

  private let loop: LoopExecutor
  private let timeout: TimeSpan
  private let log: RunLog
  private let accesses = Locked<[Key: Access]>([:])
  private let lasting = Locked<[String]>([])
  /// The problems with the contents of files, by path.
  private let contents = Locked<[String: String]>([:])

  /// Creates a worker. It has threads only while it accesses files.
  ///
  /// - Parameters:
  ///   - loop: the loop that waits for the deadlines.
  ///   - timeout: the time limit of an access; 5 s by default.
  ///   - log: receives a line when an access misses its deadline and when it ends later; on any thread.
  public init(
    on loop: LoopExecutor, timeout: TimeSpan = FileWorker.timeout, log: RunLog
  ) {
    self.loop = loop
    self.timeout = timeout
    self.log = log
  }

  /// Logs a problem with files that lasts until the end of the run.
  public func note(_ sentence: String) {
    lasting.withLock { $0.append(sentence) }
    log.problem(sentence)
  }

  /// Sets the problem of a file. The problem remains in `problems` until a call with nil for this path.
  ///
  /// - Returns: true when the file had a problem before.
  @discardableResult
  public func set(_ problem: String?, for path: String) -> Bool {
    contents.withLock { contents in
      defer { contents[path] = problem }
      return contents[path] != nil
    }
  }

  /// The current problems, as sentences. These are the problems that last until the end of the run, the
  /// problems of contents, and the accesses that have missed their deadlines and have not ended. The last two
  /// kinds are sorted by path.
  public var problems: [String] {
    let now = SystemClock.monotonic()
    let contents = contents.withLock { $0 }.sorted { $0.key < $1.key }.map(\.value)
    let overdue = accesses.withLock { $0.filter { $0.value.isOverdue } }.sorted { $0.key < $1.key }
    let late = overdue.map { key, access in
      "\(key.path): \(key.purpose) has not been answered for \((now - access.since).roundedToSeconds)"
    }
    return lasting.withLock { $0 } + contents + late
  }

  /// Runs an access on a thread. The calling task waits for the result or for the deadline.
  ///
  /// - Parameters:
  ///   - purpose: the access in the form “reading the site file”.
  ///   - path: the file or folder.
  ///   - limit: the time limit of this access, if it is shorter than `timeout`.
  ///   - whenLate: called once when an access that missed its deadline has ended; on any thread.
  ///   - work: the access; it may block.
  /// - Throws: `Problem` when the access misses its deadline, or when an earlier late access still runs.
  public func run<Value: Sendable>(
    _ purpose: String, _ path: String, within limit: TimeSpan? = nil,
    whenLate: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Value
  ) async throws(Problem) -> Value {
    let done = Promise<Value?>()
    let limit = min(limit ?? timeout, timeout)
    start(
      purpose, path, within: limit, whenMissed: { done.fill(nil) }, whenLate: whenLate, work,
      report: { done.fill($0) })
    guard let value = await done.value() else { throw lateness(Key(path: path, purpose: purpose), limit) }
    return value
  }

  /// Starts an access on a thread and returns at once. When the system cannot start a thread, runs the access
  /// on the calling thread. The parameters that are not described here are those of `run`.
  ///
  /// - Parameters:
  ///   - limit: the time limit of this access; nil for `timeout`.
  ///   - whenMissed: called when the access misses its deadline. Also called when an earlier late access
  ///     still runs; the new access is then not started.
  ///   - report: receives the result when the access has ended, also after its deadline; on any thread.
  public func start<Value>(
    _ purpose: String, _ path: String, within limit: TimeSpan? = nil,
    whenMissed: (@Sendable () -> Void)? = nil, whenLate: (@Sendable () -> Void)? = nil,
    _ work: @escaping @Sendable () -> Value, report: @escaping @Sendable (Value) -> Void
  ) {
    let key = Key(path: path, purpose: purpose)
    let start = SystemClock.monotonic()
    let canBegin = accesses.withLock { accesses in
      guard accesses[key]?.isOverdue != true else {
        if let whenLate { accesses[key]?.whenLate.append(whenLate) }
        return false
      }
      accesses[key] = Access(since: start, whenLate: [whenLate].compactMap(\.self))
      return true
    }
    guard canBegin else { return whenMissed?() ?? () }
    let limit = limit ?? timeout
    let timer = loop.schedule(at: start + limit) { [self] in
      if miss(key, start, limit) { whenMissed?() }
    }
    let body: @Sendable () -> Void = { [self] in
      let value = work()
      loop.unschedule(timer)
      let late = end(key, start)
      report(value)
      for call in late { call() }
    }
    if !loop.runOnThread(body) { body() }
  }

  /// Records a missed deadline. Returns false when the access has ended meanwhile.
  private func miss(_ key: Key, _ start: MonotonicInstant, _ limit: TimeSpan) -> Bool {
    let isLate = accesses.withLock { accesses in
      guard accesses[key]?.since == start else { return false }
      accesses[key]?.isOverdue = true
      return true
    }
    if isLate { log.problem("\(lateness(key, limit))") }
    return isLate
  }

  /// Records the end of an access. Returns the `whenLate` functions to call; empty when the access was
  /// not overdue.
  private func end(_ key: Key, _ start: MonotonicInstant) -> [@Sendable () -> Void] {
    let access = accesses.withLock { accesses -> Access? in
      guard accesses[key]?.since == start else { return nil }
      return accesses.removeValue(forKey: key)
    }
    guard let access, access.isOverdue else { return [] }
    log("\(key.path) has answered after \((SystemClock.monotonic() - start).roundedToSeconds)")
    return access.whenLate
  }

  private func lateness(_ key: Key, _ limit: TimeSpan) -> Problem {
    Problem(
      .timedOut, place: key.path, cause: "\(key.purpose) was not answered within \(limit)",
      remedy: "check the disk; the daemon continues without this answer")
  }
}
