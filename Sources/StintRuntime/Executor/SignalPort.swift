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
  }

  /// Readable when a signal has come.
  var descriptor: Int32 { pipe.readEnd }

  /// The signals that came, in order.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }
}

/// Where the handler writes, which can be told nothing; -1 while there is no port.
private let signalTarget = Atomic<Int32>(-1)

/// Runs in the middle of anything: it writes one byte and touches nothing else.
private let tellPort: @convention(c) (Int32) -> Void = { number in
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalTarget.load(ordering: .relaxed), &byte, 1)
  errno = saved
}
