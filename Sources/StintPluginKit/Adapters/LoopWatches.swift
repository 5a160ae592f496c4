import StintModel
import StintSystem
import StintUnits

/// The watched descriptors and the timers of an event loop that waits with `poll`. May be used from any
/// thread; one thread waits and runs the actions.
final class LoopWatches: PluginLoop {
  private struct Timer {
    var number: Int
    /// The steady clock's time at which the timer expires, in nanoseconds.
    var deadline: Int64
    var action: @Sendable () -> Void
  }

  private struct State {
    var readers: [Int32: @Sendable () -> Void] = [:]
    var writers: [Int32: @Sendable () -> Void] = [:]
    var timers: [Timer] = []
    var nextNumber = 0
  }

  /// A descriptor that is ready, and the direction for which it was watched.
  struct Ready: Hashable, Sendable {
    var descriptor: Int32
    var isForWriting: Bool
  }

  private let state = Locked(State())
  private let wake: @Sendable () -> Void

  /// Makes watches without descriptors and timers.
  ///
  /// - Parameter wake: ends the current wait of the loop, because the watches have changed. It is called on
  ///   the thread of the change, outside the lock.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  // MARK: For the waiting thread

  /// The entries to wait for, in a constant order.
  var entries: [pollfd] {
    let (readers, writers) = state.withLock { ($0.readers.keys.sorted(), $0.writers.keys.sorted()) }
    return readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      + writers.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
  }

  /// The steady clock's time at which the next timer expires, in nanoseconds; nil without timers.
  var deadline: Int64? { state.withLock { $0.timers.map(\.deadline).min() } }

  /// Runs the actions of expired timers and of the ready entries. Returns the number of actions.
  ///
  /// An action is looked up when its turn comes, because an earlier action may have ended its watch.
  func run(after entries: some Sequence<pollfd>) -> Int {
    let now = ProcessClock.steady
    var count = 0
    while let action = nextExpired(now) {
      action()
      count += 1
    }
    for entry in entries where entry.revents != 0 {
      let isForWriting = entry.events == Int16(POLLOUT)
      if let action = action(of: Ready(descriptor: entry.fd, isForWriting: isForWriting)) {
        action()
        count += 1
      }
    }
    return count
  }

  /// Removes the oldest timer that has expired at `now`, and returns its action.
  private func nextExpired(_ now: Int64) -> (@Sendable () -> Void)? {
    state.withLock { state in
      let expired = state.timers.indices.filter { state.timers[$0].deadline <= now }
      let first = expired.min {
        (state.timers[$0].deadline, state.timers[$0].number)
          < (state.timers[$1].deadline, state.timers[$1].number)
      }
      return first.map { state.timers.remove(at: $0).action }
    }
  }

  private func action(of ready: Ready) -> (@Sendable () -> Void)? {
    state.withLock { state in
      ready.isForWriting
        ? state.writers.removeValue(forKey: ready.descriptor) : state.readers[ready.descriptor]
    }
  }

  // MARK: For plugins

  func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    change { $0.readers[descriptor] = action }
  }

  func unwatchReadable(_ descriptor: Int32) { change { $0.readers[descriptor] = nil } }

  func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    change { $0.writers[descriptor] = action }
  }

  func unwatchWritable(_ descriptor: Int32) { change { $0.writers[descriptor] = nil } }

  func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let (deadline, isLate) = ProcessClock.steady.addingReportingOverflow(max(span, .zero).nanoseconds)
    let number = state.withLock { state in
      state.nextNumber += 1
      state.timers.append(
        Timer(number: state.nextNumber, deadline: isLate ? .max : deadline, action: action))
      return state.nextNumber
    }
    wake()
    return { [weak self] in self?.state.withLock { $0.timers.removeAll { $0.number == number } } }
  }

  func runOnThread(_ action: @escaping @Sendable () -> Void) -> Bool { PluginThread.start(action) }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    wake()
  }
}
