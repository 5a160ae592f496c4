import StintModel
public import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the file calls of one device on a thread of its own, so that a file that does not answer stops its
/// device alone.
///
/// Work runs one piece after the other. The caller waits for `patience`; then the caller goes on and the work
/// does too. Work that takes longer than `limit` is a fault with the name of the file, and the device is not
/// available until the file has answered. Until then newer work takes the place of older work of the same
/// kind, so at most one piece of each kind waits. A stuck device holds two threads, a device without work
/// none. May be used from any thread.
public final class DeviceWorker: Sendable {
  /// What the host asked for; newer work replaces work of the same kind that has not begun.
  public enum Kind: Hashable, Sendable {
    case open, apply, drain, wake, read, close
  }

  /// How long a host waits for work: long enough for healthy hardware, short enough not to be noticed.
  public static let patience = TimeSpan.milliseconds(100)
  /// How long work may take before its device is given up: 2 s.
  public static let limit = TimeSpan.seconds(2)

  private struct Job {
    var kind: Kind
    var instant: Instant
    var body: @Sendable () -> Bool
  }

  private struct State {
    var waiting: [Job] = []
    /// When the work under way was asked for, in the host's time; nil while there is none.
    var current: Instant?
    /// Counts the work that has begun.
    var number = 0
    var hasThread = false
    /// The caller has gone on; a second thread watches the first until there is no work left.
    var isWatched = false
    var isStuck = false
    /// What the work does to which file.
    var call = ""

    var isIdle: Bool { current == nil && waiting.isEmpty }
  }

  private let port: DevicePort
  private let clock: LinkedPlugin.Clock
  private let patience: TimeSpan
  private let limit: TimeSpan
  /// Written when there is no work left, and when a watched piece of work has ended.
  private let idle: WakeEnds
  private let news: WakeEnds
  private let state = Locked(State())

  /// Makes a worker without a thread.
  ///
  /// - Returns: nil when the system has no descriptors left.
  public init?(
    port: DevicePort, clock: @escaping LinkedPlugin.Clock, patience: TimeSpan = DeviceWorker.patience,
    limit: TimeSpan = DeviceWorker.limit
  ) {
    guard let idle = WakeEnds(), let news = WakeEnds() else { return nil }
    self.port = port
    self.clock = clock
    self.patience = patience
    self.limit = limit
    self.idle = idle
    self.news = news
  }

  /// Has the work done, and waits for it for a short while; for no time where earlier work is late already.
  ///
  /// What the work says must go through the port; it returns whether the device is there. One caller at a time.
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
      port.report(.fault("the system starts no thread; free memory or processes"), at: instant)
      return
    }
    if mustWait { waitForWork() }
  }

  private func waitForWork() {
    while !state.withLock({ $0.isIdle }) {
      if Self.wait(for: idle, patience) { continue }
      let isLate = state.withLock { state in
        state.isWatched = !state.isIdle
        return state.isWatched
      }
      // Without a second thread the fault is not reported; only this device is late all the same.
      if isLate { _ = PluginThread.start { self.watch() } }
      return
    }
  }

  // MARK: The thread that works

  private func work() {
    pthread_setspecific(workerKey, Unmanaged.passUnretained(self).toOpaque())
    while let job = next() {
      finish(isThere: job.body())
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

  private func finish(isThere: Bool) {
    let (wasStuck, isWatched, isIdle) = state.withLock { state in
      defer { state.isStuck = false }
      state.current = nil
      state.call = ""
      return (state.isStuck, state.isWatched, state.isIdle)
    }
    if wasStuck, isThere { port.available(true, at: clock()) }
    if isWatched { news.wake() }
    if isIdle { idle.wake() }
  }

  // MARK: The thread that watches late work

  private func watch() {
    while let number = watched() {
      if Self.wait(for: news, limit) { continue }
      let stuck: (at: Instant, call: String)? = state.withLock { state in
        guard state.number == number, let instant = state.current else { return nil }
        state.isStuck = true
        return (instant, state.call)
      }
      guard let stuck else { continue }
      let call = stuck.call.isEmpty ? "a call of the device" : stuck.call
      port.report(.fault("\(call) takes longer than \(limit); the device waits for it alone"), at: stuck.at)
      port.available(false, at: stuck.at)
      _ = Self.wait(for: news, nil)
    }
  }

  /// The number of the work under way, or of the next; nil when there is nothing left to watch.
  private func watched() -> Int? {
    state.withLock { state in
      if state.isIdle { state.isWatched = false }
      return state.isIdle ? nil : state.number
    }
  }

  /// False when the time is over; nil waits for ever.
  private static func wait(for ends: WakeEnds, _ span: TimeSpan?) -> Bool {
    var entry = pollfd(fd: ends.readEnd, events: Int16(POLLIN), revents: 0)
    let milliseconds = span.map { Int32(clamping: max($0.nanoseconds / 1_000_000, 1)) } ?? -1
    let count = poll(&entry, 1, milliseconds)
    if count > 0 { ends.drain() }
    return count != 0
  }

  // MARK: What the work does

  /// Notes which file the calling thread is about to use, for the fault that a stuck one is.
  static func note(_ verb: String, _ path: @autoclosure () -> String) {
    guard let pointer = pthread_getspecific(workerKey) else { return }
    let worker = Unmanaged<DeviceWorker>.fromOpaque(pointer).takeUnretainedValue()
    let call = verb + " " + path()
    worker.state.withLock { $0.call = call }
  }
}

/// Leads from a thread to the worker whose thread it is.
private let workerKey: pthread_key_t = {
  var key = pthread_key_t()
  let result = pthread_key_create(&key, nil)
  precondition(result == 0, "a program has a few keys for its threads")
  return key
}()
