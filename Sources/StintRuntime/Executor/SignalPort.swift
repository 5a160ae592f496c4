import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Turns signals into bytes on a descriptor, so that a loop can wait for them beside everything else.
///
/// While it lives the signals do not do what they otherwise do; afterwards they end the process again.
final class SignalPort: Sendable {
  private let numbers: [Int32]
  private let pipe: WakePipe

  /// - Precondition: no other port lives; the numbers fit in a byte.
  init(_ numbers: [Int32]) throws(SystemError) {
    self.numbers = numbers
    pipe = try WakePipe()
    let wasFree = signalTarget.compareExchange(expected: -1, desired: pipe.writeEnd, ordering: .relaxed)
      .exchanged
    precondition(wasFree, "a process has one port for signals")
    signalSource.store(pipe.readEnd, ordering: .relaxed)
    hasSignalCome.store(false, ordering: .relaxed)
    for number in numbers { signal(number, tellPort) }
    unblock()
  }

  /// Whoever started the process may have left its signals blocked; then Ctrl-C would never arrive.
  private func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  deinit {
    for number in numbers { signal(number, SIG_DFL) }
    signalTarget.store(-1, ordering: .relaxed)
    signalSource.store(-1, ordering: .relaxed)
  }

  /// Readable when a signal has come.
  var descriptor: Int32 { pipe.readEnd }

  /// The signals that came, in order.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }
}

/// Where the handler writes, which can be told nothing; -1 while there is no port.
private let signalTarget = Atomic<Int32>(-1)

/// The other end of the same pipe, and whether anything was ever written while the present port lives.
private let signalSource = Atomic<Int32>(-1)
private let hasSignalCome = Atomic(false)

/// Runs in the middle of anything: it writes one byte and touches nothing else.
private let tellPort: @convention(c) (Int32) -> Void = { number in
  let saved = errno
  hasSignalCome.store(true, ordering: .relaxed)
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalTarget.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// Room for what a process writes, so that a reader who does not read cannot keep the process from ending.
public enum OutputRoom {
  /// The most bytes that may be written after `wait` without waiting: what a pipe takes in one piece.
  public static let piece = 4096
  /// How long a reader may take once the process was asked to end, in milliseconds.
  private static let patience: Int32 = 300

  /// Blocks until the descriptor takes a piece. May be called from any thread.
  ///
  /// - Returns: false when a signal asked the process to end and the reader does not read.
  public static func wait(for descriptor: Int32) -> Bool {
    while true {
      let isEnding = hasSignalCome.load(ordering: .relaxed)
      var entries = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      if !isEnding {
        let source = signalSource.load(ordering: .relaxed)
        entries.append(pollfd(fd: source, events: Int16(POLLIN), revents: 0))
      }
      let count = poll(&entries, nfds_t(entries.count), isEnding ? patience : -1)
      // An error is for the write to find.
      if count > 0, entries[0].revents != 0 { return true }
      if count < 0, errno != EINTR { return true }
      if count == 0 { return false }
    }
  }
}
