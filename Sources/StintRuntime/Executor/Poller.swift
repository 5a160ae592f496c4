import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Blocks one thread until a descriptor is readable, a time has passed, or another thread wakes it.
///
/// `poll` serves the handful of descriptors that a daemon has as well as anything larger would, and is
/// everywhere. A timer is never early. It is late by up to a millisecond, and by up to a thousandth of the
/// wait (100 ms at most), because the system gathers the wake-ups of long waits; and by the time for which
/// the machine was suspended meanwhile, unless something else wakes the loop first.
struct Poller: ~Copyable {
  private let pipe: WakePipe
  private var entries: [pollfd] = []

  init(waking pipe: WakePipe) { self.pipe = pipe }

  /// Waits for a timeout (nil: for ever) and returns the readable ones of the descriptors.
  mutating func wait(for descriptors: [Int32], timeout: TimeSpan?) -> [Int32] {
    entries.removeAll(keepingCapacity: true)
    for descriptor in [pipe.readEnd] + descriptors {
      entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    let count = poll(&entries, nfds_t(entries.count), milliseconds(timeout))
    // Interrupted by a signal: whatever it brought is readable the next time.
    guard count > 0 else { return [] }
    if entries[0].revents != 0 { _ = pipe.drain() }
    return entries.dropFirst().filter { $0.revents != 0 }.map(\.fd)
  }

  /// Rounded up, so that a timer never fires early.
  private func milliseconds(_ timeout: TimeSpan?) -> Int32 {
    guard let timeout else { return -1 }
    let (whole, rest) = max(timeout, .zero).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return Int32(clamping: rest > 0 ? whole + 1 : whole)
  }
}
