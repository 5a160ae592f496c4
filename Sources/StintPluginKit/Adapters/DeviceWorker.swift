import StintModel
import StintSystem
public import StintUnits

/// A worker that runs the file calls of one device on a separate thread. So a blocked file delays only its
/// own device.
///
/// Jobs run one after another. The caller waits at most for `timeout` and then returns; the job continues.
/// When a job takes longer than `limit`, the worker reports a fault with the file's name, and the device is
/// unavailable until the job ends. Meanwhile a new job replaces a waiting job of the same kind, so at most
/// one job of each kind waits. A blocked device occupies two threads; a device without jobs occupies no
/// thread. May be used from any thread.
public final class DeviceWorker: Sendable {
  /// The host call that a job serves. A new job replaces a job of the same kind that has not begun.
  public enum Kind: Hashable, Sendable {
    case open, apply, drain, wake, read, close
  }

  /// How long the host waits for a job: 100 ms. Healthy hardware answers within this time, and users do not
  /// notice a delay of this length.
  public static let timeout = TimeSpan.milliseconds(100)
  /// How long a job may take before its device counts as unavailable: 2 s.
  public static let limit = TimeSpan.seconds(2)

  private struct Job {
    var kind: Kind
    var instant: Instant
    var body: @Sendable () -> Bool
  }

  private struct State {
    var waiting: [Job] = []
    /// The instant at which the host requested the running job; nil when no job runs.
    var current: Instant?
    /// The number of jobs that have begun; it identifies the running job.
    var number = 0
    var hasThread = false
    /// True when the caller has stopped waiting. A second thread then watches the thread that runs the jobs,
    /// until no job is left.
    var isWatched = false
    var isStuck = false
    /// The file operation in progress, such as `reading /sys/…`; empty between operations.
    var call = ""

    var isIdle: Bool { current == nil && waiting.isEmpty }
  }

  private let port: DevicePort
  private let clock: LinkedPlugin.Clock
  private let timeout: TimeSpan
  private let limit: TimeSpan
  /// Wakes the waiting caller when no jobs are left.
  private let idle: WakeEnds
  /// Wakes the second thread when a watched job has ended.
  private let news: WakeEnds
  private let state = Locked(State())

  /// Makes a worker; its thread starts with the first job.
  ///
  /// - Returns: nil when the system has no descriptors left.
  public init?(
    port: DevicePort, clock: @escaping LinkedPlugin.Clock, timeout: TimeSpan = DeviceWorker.timeout,
    limit: TimeSpan = DeviceWorker.limit
  ) {
    guard let idle = WakeEnds(), let news = WakeEnds() else { return nil }
    self.port = port
    self.clock = clock
    self.timeout = timeout
    self.limit = limit
    self.idle = idle
    self.news = news
  }

  /// Runs a job and waits for it up to `timeout`. While an earlier job is late, the call returns at once.
  ///
  /// The job publishes its results through the port and returns whether the device is available. Only one
  /// caller at a time may use this function.
  public func perform(_ kind: Kind, at instant: Instant, _ body: @escaping @Sendable () -> Bool) {
    let (mustStart, mustWait) = state.withLock { state in
      defer { state.hasThread = true }
      state.waiting.removeAll { $0.kind == kind }
      state.waiting.append(Job(kind: kind, instant: instant, body: body))
      return (!state.hasThread, !state.isWatched)
    }
    if mustStart, !PluginThread.start({ self.work() }) {
      state.withLock { state in
        state.hasThread = false
        state.waiting = []
      }
      port.report(.fault("the system cannot start a thread; free memory or processes"), at: instant)
      return
    }
    if mustWait { waitForWork() }
  }

  private func waitForWork() {
    while !state.withLock({ $0.isIdle }) {
      if Self.wait(for: idle, timeout) { continue }
      let isLate = state.withLock { state in
        state.isWatched = !state.isIdle
        return state.isWatched
      }
      // When the second thread cannot start, the worker reports no fault for the late job. Even then, other
      // devices are not delayed.
      if isLate { _ = PluginThread.start { self.watch() } }
      return
    }
  }

  // MARK: The thread that runs jobs

  private func work() {
    pthread_setspecific(workerKey, Unmanaged.passUnretained(self).toOpaque())
    while let job = next() {
      finish(isAvailable: job.body())
    }
  }

  private func next() -> Job? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.hasThread = false
        return nil
      }
      let job = state.waiting.removeFirst()
      state.current = job.instant
      state.number += 1
      return job
    }
  }

  private func finish(isAvailable: Bool) {
    let (wasStuck, isWatched, isIdle) = state.withLock { state in
      defer { state.isStuck = false }
      state.current = nil
      state.call = ""
      return (state.isStuck, state.isWatched, state.isIdle)
    }
    if wasStuck, isAvailable { port.available(true, at: clock()) }
    if isWatched { news.wake() }
    if isIdle { idle.wake() }
  }

  // MARK: The thread that watches late jobs

  private func watch() {
    while let number = jobToWatch() {
      if Self.wait(for: news, limit) { continue }
      let stuck: (at: Instant, call: String)? = state.withLock { state in
        guard state.number == number, let instant = state.current else { return nil }
        state.isStuck = true
        return (instant, state.call)
      }
      guard let stuck else { continue }
      let call = stuck.call.isEmpty ? "a call of the device" : stuck.call
      port.report(.fault("\(call) takes longer than \(limit); only this device is delayed"), at: stuck.at)
      port.available(false, at: stuck.at)
      _ = Self.wait(for: news, nil)
    }
  }

  /// Returns the number of the job that began last. Ends the watch and returns nil when no job runs or waits.
  private func jobToWatch() -> Int? {
    state.withLock { state in
      if state.isIdle { state.isWatched = false }
      return state.isIdle ? nil : state.number
    }
  }

  /// Waits until `ends` is readable. Returns false after `span`; a nil span waits without a limit.
  private static func wait(for ends: WakeEnds, _ span: TimeSpan?) -> Bool {
    var entry = pollfd(fd: ends.readEnd, events: Int16(POLLIN), revents: 0)
    let milliseconds = span.map { Int32(clamping: max($0.nanoseconds / 1_000_000, 1)) } ?? -1
    let count = poll(&entry, 1, milliseconds)
    if count > 0 { ends.drain() }
    return count != 0
  }

  // MARK: The operation in progress

  /// Records the file that the calling thread is about to use, for the fault report if the call blocks.
  static func note(_ verb: String, _ path: @autoclosure () -> String) {
    guard let pointer = pthread_getspecific(workerKey) else { return }
    let worker = Unmanaged<DeviceWorker>.fromOpaque(pointer).takeUnretainedValue()
    let call = verb + " " + path()
    worker.state.withLock { $0.call = call }
  }
}

/// The thread-specific key under which a worker's thread finds its worker.
private let workerKey: pthread_key_t = {
  var key = pthread_key_t()
  let result = pthread_key_create(&key, nil)
  precondition(result == 0, "no thread-specific key is left in this process")
  return key
}()
