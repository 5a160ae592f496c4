import StintSystem
import StintUnits

/// A wrapper of `poll` that blocks a thread. The wait ends when a descriptor is readable or writable, when a
/// timeout has passed, or when another thread wakes the blocked thread.
///
/// `poll` is portable and fast enough for the few descriptors of a daemon. A timeout below 24 days never
/// expires early; longer timeouts are shortened to 24 days. A timeout can expire late for three reasons:
///
/// - `poll` counts milliseconds: up to 1 ms.
/// - The system coalesces long waits: up to 0.1 % of the wait, at most 100 ms.
/// - The machine was suspended: the time of the suspension.
struct Poller: ~Copyable {
  private let pipe: WakePipe
  private var entries: [pollfd] = []

  init(waking pipe: WakePipe) { self.pipe = pipe }

  /// Waits. Returns the readable descriptors, and the descriptors of `writers` that accept bytes. Returns two
  /// empty lists after a signal or the timeout. A timeout of nil waits without limit.
  mutating func wait(
    for descriptors: [Int32], writing writers: [Int32] = [], timeout: TimeSpan?
  ) -> (readable: [Int32], writable: [Int32]) {
    entries.removeAll(keepingCapacity: true)
    for descriptor in [pipe.readEnd] + descriptors {
      entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    for descriptor in writers {
      entries.append(pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0))
    }
    let count = poll(&entries, nfds_t(entries.count), milliseconds(timeout))
    // On a signal, `poll` fails with EINTR. The next call reports the descriptor to which the signal
    // handler wrote.
    guard count > 0 else { return ([], []) }
    if entries[0].revents != 0 { _ = pipe.drain() }
    func ready(_ range: Range<Int>) -> [Int32] {
      entries[range].filter { $0.revents != 0 }.map(\.fd)
    }
    let split = descriptors.count + 1
    return (ready(1..<split), ready(split..<entries.count))
  }

  /// Returns the timeout in milliseconds, rounded up so that a timer never expires early; -1 for no timeout.
  private func milliseconds(_ timeout: TimeSpan?) -> Int32 {
    guard let timeout else { return -1 }
    let (whole, rest) = max(timeout, .zero).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Int32(clamping: rest > 0 ? whole + 1 : whole)
  }
}
