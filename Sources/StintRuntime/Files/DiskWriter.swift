public import StintJournal
import StintModel
public import StintUnits

/// A writer that writes one file repeatedly on a separate thread. So a slow disk delays neither steps
/// nor answers.
///
/// Only one write runs at a time. When several contents wait, only the newest is written. An idle writer has
/// no thread. A writer may be used from any thread.
public final class DiskWriter: Sendable {
  /// Called with the result of a write, on the writing thread; nil means success.
  public typealias Report = @Sendable (Problem?) -> Void

  private struct Job {
    var bytes: @Sendable () -> [UInt8]
    var reports: [Report]
  }

  private struct State {
    var isWriting = false
    var next: Job?
    var waiters: [Promise<Bool>] = []
  }

  private let write: @Sendable ([UInt8]) throws(Problem) -> Void
  private let state = Locked(State())

  /// Creates a writer that replaces the regular file at `path` atomically. `room` simulates a full
  /// disk, in tests and for the fault `disk` of a scenario.
  public convenience init(path: String, room: DiskFullSwitch? = nil) {
    self.init { (bytes) throws(Problem) in try FileText.replace(bytes, at: path, room: room) }
  }

  /// Creates a writer that passes contents to a closure, which may block.
  init(_ write: @escaping @Sendable ([UInt8]) throws(Problem) -> Void) { self.write = write }

  /// Queues contents for the writer's thread. Newer contents replace contents that still wait. When the
  /// system cannot start a thread, writes on the calling thread.
  ///
  /// - Parameter report: called once, when these or newer contents are on the disk, or writing has failed.
  public func submit(_ bytes: [UInt8], report: @escaping Report = { _ in }) {
    submit(making: { bytes }, report: report)
  }

  /// Queues contents that a closure creates on the writer's thread. The closure is skipped when newer
  /// contents replace it.
  public func submit(making bytes: @escaping @Sendable () -> [UInt8], report: @escaping Report = { _ in }) {
    let mustStart = state.withLock { state in
      state.next = Job(bytes: bytes, reports: (state.next?.reports ?? []) + [report])
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard mustStart else { return }
    do throws(Problem) {
      try Spawner.thread("stint-writer") { self.work() }.detach()
    } catch {
      // Without a thread, write on the calling thread.
      work()
    }
  }

  /// Waits until all contents are written, but at most for `span`.
  ///
  /// - Returns: false on a timeout; writing then continues.
  public func finish(on loop: LoopExecutor, within span: TimeSpan) async -> Bool {
    let done = Promise<Bool>()
    let isIdle = state.withLock { state in
      if state.isWriting { state.waiters.append(done) }
      return !state.isWriting
    }
    if isIdle { return true }
    let timer = loop.schedule(at: SystemClock.monotonic() + span) { done.fill(false) }
    defer { loop.unschedule(timer) }
    return await done.value()
  }

  private func work() {
    while let job = state.withLock({ $0.next.take() }) ?? nextJobOrStop() {
      var failure: Problem?
      do throws(Problem) { try write(job.bytes()) } catch { failure = error }
      for report in job.reports { report(failure) }
    }
  }

  /// Returns the next contents to write. Returns nil when no contents wait; the thread then ends.
  private func nextJobOrStop() -> Job? {
    let (job, waiters) = state.withLock { state -> (Job?, [Promise<Bool>]) in
      if let job = state.next.take() { return (job, []) }
      state.isWriting = false
      defer { state.waiters = [] }
      return (nil, state.waiters)
    }
    for waiter in waiters { waiter.fill(true) }
    return job
  }
}
