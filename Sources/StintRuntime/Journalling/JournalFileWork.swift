import StintJournal
import StintModel
import StintUnits

/// The accesses of a journal to its files on other threads. An access writes records, checks whether the file
/// is at its path, or makes a new file. One access runs at a time.
///
/// Writes are frequent, so a separate thread performs them. They have no deadline, but `problem` reports a
/// late write.
final class JournalFileWork: Sendable {
  /// The result of an access.
  enum Result: Sendable {
    /// Whether the file is still at its path.
    case place(isKept: Bool)
    /// The next file, after the current file was archived because it is full.
    case next(JournalSuccessor)
    /// The new file, after the current file was removed or renamed.
    case replacement(JournalSuccessor)
    /// The result of a write.
    case written(JournalWrite.Result)
    case failure(Problem)
  }

  private struct State {
    var isBusy = false
    var result: Result?
    var waiter: Promise<Bool>?
    /// The start of the write that is in progress; nil when no write is in progress.
    var writesSince: MonotonicInstant?
  }

  private let files: FileWorker
  private let path: String
  private let loop: LoopExecutor
  private let notify: @Sendable () -> Void
  private let state = Locked(State())
  private let thread = SerialThread(isLasting: true)

  /// - Parameters:
  ///   - path: the path of the journal, for messages.
  ///   - notify: called on any thread when a result is ready.
  init(
    _ files: FileWorker, on loop: LoopExecutor, path: String, notify: @escaping @Sendable () -> Void
  ) {
    self.files = files
    self.path = path
    self.loop = loop
    self.notify = notify
  }

  /// True from the start of an access until `take()` has returned its result.
  var isBusy: Bool { state.withLock { $0.isBusy } }

  /// A sentence about a write that has been in progress for at least `FileWorker.timeout` (5 s). Nil when no
  /// write takes this long.
  var problem: String? {
    guard let since = state.withLock({ $0.writesSince }) else { return nil }
    let span = SystemClock.monotonic() - since
    guard span >= FileWorker.timeout else { return nil }
    return "\(path): writing the journal has not been answered for \(span.roundedToSeconds)"
  }

  /// Starts to write the waiting records, unless an access is in progress. Returns true when a write
  /// has started.
  func write(_ writer: JournalWriter, at instant: Instant) -> Bool {
    guard !isBusy, let write = writer.beginWrite(at: instant) else { return false }
    state.withLock { $0 = State(isBusy: true, writesSince: SystemClock.monotonic()) }
    thread.run { [self] in report(.written(write.perform())) }
    return true
  }

  /// Starts to check whether the file is still at its path. Returns false when another access is in progress.
  func checkPlace(of writer: JournalWriter) -> Bool {
    let test = writer.placeTest
    return start("finding the journal", writer.path) { .place(isKept: test()) }
  }

  /// Starts to archive the file and to make the next file, unless an access is in progress.
  func makeNext(of writer: JournalWriter) {
    let make = writer.successor()
    _ = start("starting the next file of the journal", writer.path) {
      do throws(Problem) { return .next(try make()) } catch { return .failure(error) }
    }
  }

  /// Starts to make a new file at the path, unless an access is in progress.
  func replace(_ writer: JournalWriter) {
    let make = writer.replacement()
    _ = start("restoring the journal", writer.path) {
      do throws(Problem) { return .replacement(try make()) } catch { return .failure(error) }
    }
  }

  private func start(
    _ purpose: String, _ path: String, _ work: @escaping @Sendable () -> Result
  ) -> Bool {
    let canStart = state.withLock { state in
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard canStart else { return false }
    files.start(purpose, path, work) { [self] result in report(result) }
    return true
  }

  private func report(_ result: Result) {
    let waiter = state.withLock { state in
      state.result = result
      state.writesSince = nil
      return state.waiter.take()
    }
    waiter?.fill(true)
    notify()
  }

  /// Removes and returns the result of the access that has ended; nil when no access has ended.
  func take() -> Result? {
    state.withLock { state in
      guard let result = state.result.take() else { return nil }
      state.isBusy = false
      return result
    }
  }

  /// Writes the last records to the disk on another thread. Returns the problem; nil for success.
  func run(
    _ synchronize: (@Sendable () throws(Problem) -> Void)?, within limit: TimeSpan
  ) async -> Problem? {
    guard let synchronize else { return nil }
    do throws(Problem) {
      let result = try await files.run("writing its end to the disk", path, within: limit) {
        () -> Problem? in
        do throws(Problem) { try synchronize() } catch { return error }
        return nil
      }
      return result
    } catch {
      return error
    }
  }

  /// Waits until no access runs, but at most for `span`.
  func finish(within span: TimeSpan) async {
    let done = Promise<Bool>()
    let mustWait = state.withLock { state in
      guard state.isBusy, state.result == nil else { return false }
      state.waiter = done
      return true
    }
    guard mustWait else { return }
    let timer = loop.schedule(at: SystemClock.monotonic() + span) { done.fill(false) }
    defer { loop.unschedule(timer) }
    _ = await done.value()
  }
}
