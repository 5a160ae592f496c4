import StintModel
import StintSystem
public import StintUnits

/// An event loop for tests of plugins that watch descriptors. The thread of the test runs it.
public final class BenchLoop: PluginLoop {
  private let waker: WakeEnds
  private let watches: LoopWatches
  private let turnCount = Locked(0)

  /// Makes a loop.
  ///
  /// - Precondition: the system has descriptors left.
  public init() {
    guard let waker = WakeEnds() else { preconditionFailure("a test needs a pipe") }
    self.waker = waker
    watches = LoopWatches { waker.wake() }
  }

  /// The number of waits that ended because of a descriptor or a timer.
  public var turns: Int { turnCount.withLock { $0 } }

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
    var entries = [pollfd(fd: waker.readEnd, events: Int16(POLLIN), revents: 0)] + watches.entries
    let wait = max(min(watches.deadline ?? end, end) - now, 0)
    _ = poll(&entries, nfds_t(entries.count), Int32(clamping: (wait + 999_999) / 1_000_000))
    if entries[0].revents != 0 { waker.drain() }
    if watches.run(after: entries.dropFirst()) > 0 { turnCount.withLock { $0 += 1 } }
  }

  public func watchReadable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    watches.watchReadable(descriptor, action)
  }

  public func unwatchReadable(_ descriptor: Int32) { watches.unwatchReadable(descriptor) }

  public func watchWritable(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
    watches.watchWritable(descriptor, action)
  }

  public func unwatchWritable(_ descriptor: Int32) { watches.unwatchWritable(descriptor) }

  public func call(after span: TimeSpan, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    watches.call(after: span, action)
  }
}
