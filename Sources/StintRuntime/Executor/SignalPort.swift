import StintSystem
import StintUnits
import Synchronization

/// A port that converts signals to bytes on a descriptor, so that a loop can wait for signals.
///
/// While the port exists, it replaces the dispositions of the signals. `deinit` restores the default
/// dispositions, except for the signals in `plan.ignoredAfter`.
final class SignalPort: Sendable {
  /// The signals that a port handles, with the kind of handling.
  struct Plan: Hashable, Sendable {
    /// Signals that are always converted to bytes.
    var caught: [Int32] = []
    /// Signals that are converted when another process sent them. When this process caused such a signal, its
    /// default disposition applies.
    var caughtIfSent: [Int32] = []
    var ignored: [Int32] = []
    /// Signals that are ignored after the port is released. All other signals of the plan then get their
    /// default disposition.
    var ignoredAfter: [Int32] = []

    /// All signals of `SignalTable`.
    static var daemon: Plan {
      Plan(
        caught: SignalTable.numbers(.end, .reload, .refuse), caughtIfSent: SignalTable.numbers(.endIfSent),
        ignored: SignalTable.numbers(.ignore),
        // A hangup, or output whose reader has ended, must not end the process while it prints its results.
        ignoredAfter: SignalTable.numbers(.reload, .refuse, .ignore))
    }

    var all: [Int32] { caught + caughtIfSent + ignored }
  }

  private let plan: Plan
  private let pipe: WakePipe

  /// - Precondition: no other port exists; the signal numbers fit in a byte.
  init(_ plan: Plan) throws(Problem) {
    self.plan = plan
    pipe = try WakePipe()
    let wasFree = signalTarget.compareExchange(expected: -1, desired: pipe.writeEnd, ordering: .relaxed)
      .exchanged
    precondition(wasFree, "the process already has a port for signals")
    signalReadEnd.store(pipe.readEnd, ordering: .relaxed)
    isSignalPending.store(false, ordering: .relaxed)
    for number in plan.ignored { signal(number, SIG_IGN) }
    for number in plan.caught { signal(number, forwardSignal) }
    for number in plan.caughtIfSent { Self.catchSent(number) }
    unblock()
  }

  /// Unblocks the signals. The parent process may have blocked them, and then Ctrl-C would have no effect.
  private func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in plan.all { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  deinit {
    for number in plan.all { signal(number, plan.ignoredAfter.contains(number) ? SIG_IGN : SIG_DFL) }
    signalTarget.store(-1, ordering: .relaxed)
    signalReadEnd.store(-1, ordering: .relaxed)
  }

  /// The descriptor that is readable when a signal was received.
  var descriptor: Int32 { pipe.readEnd }

  /// Removes and returns the received signals, in order of arrival.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }

  private static func catchSent(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    #if canImport(Glibc)
      action.__sigaction_handler.sa_sigaction = forwardSentSignal
    #elseif canImport(Musl)
      action.__sa_handler.sa_sigaction = forwardSentSignal
    #elseif canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = forwardSentSignal
    #endif
    sigaction(number, &action, nil)
  }
}

/// The descriptor to which the handler writes, or -1 without a port. Global, because a handler has no
/// context argument.
private let signalTarget = Atomic<Int32>(-1)

/// The read end of the handler's pipe, or -1 without a port.
private let signalReadEnd = Atomic<Int32>(-1)
/// True when the current port has received a signal that ends the run.
private let isSignalPending = Atomic(false)

/// The signal handler. It can interrupt any code, so it only sets a flag and writes one byte.
private let forwardSignal: @convention(c) (Int32) -> Void = { number in
  let saved = errno
  // SIGHUP and SIGTSTP do not end a run. The test only compares numbers, because a handler may not call
  // most functions.
  if number != SIGHUP, number != SIGTSTP { isSignalPending.store(true, ordering: .relaxed) }
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalTarget.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// The handler for `caughtIfSent`: writes a byte when another process sent the signal. With Musl, the handler
/// does not know the sender, and treats each signal as a signal of this process.
///
/// A signal that this process caused gets its default disposition and then occurs again: the faulting
/// instruction is executed again, or the handler raises the signal again.
private let forwardSentSignal:
  @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
    number, info, _ in
    #if canImport(Glibc)
      let sender = info?.pointee._sifields._kill.si_pid ?? 0
    #elseif canImport(Darwin)
      let sender = info?.pointee.si_pid ?? 0
    #else
      let sender = getpid()
    #endif
    // Signals that the kernel generates have a code above 0.
    let isSent = (info?.pointee.si_code ?? 1) <= 0
    if isSent, sender != getpid() {
      forwardSignal(number)
      return
    }
    signal(number, SIG_DFL)
    if isSent { raise(number) }
  }

/// Functions that wait until the output accepts bytes. After a signal that ends the run, a blocked reader of
/// the output delays the end of the process by at most 0.3 s per wait.
public enum OutputSpace {
  /// The number of bytes that can be written after `wait` without blocking: the atomic write size of a pipe.
  public static let piece = 4096
  /// The maximum wait for a blocked reader after a signal that ends the run, in milliseconds.
  private static let timeout: Int32 = 300

  /// True after a signal that ends the run.
  public static var isEnding: Bool { isSignalPending.load(ordering: .relaxed) }

  /// Returns whether `piece` bytes can be written to the descriptor now without blocking. True on an error,
  /// which the write then reports.
  public static func isFree(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, 0) != 0
  }

  /// Blocks until `piece` bytes can be written to the descriptor. May be called from any thread.
  ///
  /// - Returns: false when a signal ends the run and the reader of the output is blocked.
  public static func wait(for descriptor: Int32) -> Bool {
    while true {
      let isEnding = isSignalPending.load(ordering: .relaxed)
      var limit: Int32 = isEnding ? timeout : -1
      var entries = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      if !isEnding {
        let readEnd = signalReadEnd.load(ordering: .relaxed)
        entries.append(pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0))
      }
      var count = poll(&entries, nfds_t(entries.count), limit)
      if count > 0, entries[0].revents == 0, !isSignalPending.load(ordering: .relaxed) {
        // A received signal that does not end the run keeps `readEnd` readable. A wait for `readEnd` would
        // return at once, again and again, so wait only for the output.
        limit = Self.timeout
        count = poll(&entries, 1, limit)
        if count == 0 { continue }
      }
      // On an error, return true: the write then reports it.
      if count > 0, entries[0].revents != 0 { return true }
      if count < 0, errno != EINTR { return true }
      if count == 0 { return false }
    }
  }
}
