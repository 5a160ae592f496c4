public import StintJournal
import StintModel
public import StintUnits

/// Writes one file again and again on a thread of its own, so that a slow disk delays no step and no answer.
///
/// One write is under way at a time; of the bytes that wait behind it only the newest are written. An idle writer has
/// no thread. May be used from any thread.
public final class DiskWriter: Sendable {
  /// Hears how a write ended, on the thread that wrote; nil stands for success.
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

  /// Makes a writer that replaces the file at `path` in one step; `room` stands for the disk's own.
  public convenience init(path: String, room: DiskSpace? = nil) {
    self.init { (bytes) throws(Problem) in try FileText.write(bytes, to: path, room: room) }
  }

  /// Makes a writer that hands bytes to a closure, which may block.
  init(_ write: @escaping @Sendable ([UInt8]) throws(Problem) -> Void) { self.write = write }

  /// Has the bytes written and returns at once; newer bytes take the place of these while these wait.
  ///
  /// - Parameter report: called once, when these bytes or newer ones are on the disk, or could not be written.
  public func submit(_ bytes: [UInt8], report: @escaping Report = { _ in }) {
    submit(making: { bytes }, report: report)
  }

  /// Has bytes written that are made on the writer's thread, and only where no newer ones came meanwhile.
  public func submit(making bytes: @escaping @Sendable () -> [UInt8], report: @escaping Report = { _ in }) {
    let mustStart = state.withLock { state in
      state.next = Job(bytes: bytes, reports: (state.next?.reports ?? []) + [report])
      defer { state.isWriting = true }
      return !state.isWriting
    }
    guard mustStart else { return }
    do throws(Problem) {
      try Spawner.thread { self.work() }.detach()
    } catch {
      // Without a thread the caller waits.
      work()
    }
  }

  /// Waits until nothing is left to write, at most until the deadline of the loop's clock.
  ///
  /// - Returns: false when the time was over first; the write then goes on.
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
    while let job = state.withLock({ $0.next.take() }) ?? end() {
      var failure: Problem?
      do throws(Problem) { try write(job.bytes()) } catch { failure = error }
      for report in job.reports { report(failure) }
    }
  }

  /// Ends the thread where nothing came meanwhile.
  private func end() -> Job? {
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
