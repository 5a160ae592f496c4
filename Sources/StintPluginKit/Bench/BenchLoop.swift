import StintModel
import StintSystem
public import StintUnits

/// An event loop for tests of plugins that watch descriptors. The thread of the test runs it.
public final class BenchLoop: PluginLoop {
  private struct Timer {
    var number: Int
    var deadline: Int64
    var action: @Sendable () -> Void
  }

  private struct State {
    var readers: [Int32: @Sendable () -> Void] = [:]
    var writers: [Int32: @Sendable () -> Void] = [:]
    var timers: [Timer] = []
    var nextNumber = 0
    var turns = 0
  }

  private let waker: WakeEnds
  private let state = Locked(State())

  /// Makes a loop.
  ///
  /// - Precondition: the system has descriptors left.
  public init() {
    guard let waker = WakeEnds() else { preconditionFailure("a test needs a pipe") }
    self.waker = waker
  }

  /// The number of waits that ended because of a descriptor or a timer.
  public var turns: Int { state.withLock { $0.turns } }

  /// Runs actions on the calling thread until the condition is true. The condition is checked before each
  /// wait.
  ///
  /// - Returns: false when `limit` has passed and the condition is still false.
  public func run(limit: TimeSpan = .seconds(60), until isFinished: () -> Bool) -> Bool {
    let end = ProcessClock.steady + limit.nanoseconds
    while !isFinished() {
      let now = ProcessClock.steady
      guard now < end else { return false }
      turn(until: end, now)
    }
    return true
  }

  private func turn(until end: Int64, _ now: Int64) {
    let (readers, writers, deadline) = state.withLock { state in
      (state.readers.keys.sorted(), state.writers.keys.sorted(), state.timers.map(\.deadline).min() ?? end)
    }
    var entries = [pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0)]
    entries += readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    entries += writers.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
    let wait = max(min(deadline, end) - now, 0)
    _ = poll(&entries, nfds_t(entries.count), Int32(clamping: (wait + 999_999) / 1_000_000))
    if entries[0].revents != 0 { waker.drain() }
    let later = ProcessClock.steady
    let ready = entries.map { $0.revents != 0 }
    let actions = state.withLock { state in
      let expired = state.timers.filter { $0.deadline <= later }.sorted {
        ($0.deadline, $0.number) < ($1.deadline, $1.number)
      }
      state.timers.removeAll { $0.deadline <= later }
      var actions = expired.map(\.action)
      for (place, descriptor) in readers.enumerated() where ready[1 + place] {
        if let action = state.readers[descriptor] { actions.append(action) }
      }
      for (place, descriptor) in writers.enumerated() where ready[1 + readers.count + place] {
        if let action = state.writers.removeValue(forKey: descriptor) { actions.append(action) }
      }
      if !actions.isEmpty { state.turns += 1 }
      return actions
    }
    for action in actions { action() }
  }

  public func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    change { $0.readers[descriptor] = action }
  }

  public func unwatchReadable(_ descriptor: Int32) { change { $0.readers[descriptor] = nil } }

  public func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    change { $0.writers[descriptor] = action }
  }

  public func unwatchWritable(_ descriptor: Int32) { change { $0.writers[descriptor] = nil } }

  public func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let deadline = ProcessClock.steady &+ span.nanoseconds
    let number = state.withLock { state in
      state.nextNumber += 1
      state.timers.append(Timer(number: state.nextNumber, deadline: deadline, action: action))
      return state.nextNumber
    }
    waker.wake()
    return { [weak self] in self?.state.withLock { $0.timers.removeAll { $0.number == number } } }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    waker.wake()
  }
}
