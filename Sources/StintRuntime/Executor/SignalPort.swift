import StintUnits
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
/// While it lives the signals do not do what they otherwise do; afterwards they do that again, but for those that the
/// plan ignores then.
final class SignalPort: Sendable {
  /// Which signals are turned into bytes.
  struct Plan: Hashable, Sendable {
    /// Always.
    var caught: [Int32] = []
    /// Only when another process sent them; those that the process caused itself do what they do.
    var caughtIfSent: [Int32] = []
    /// Never; they do nothing.
    var ignored: [Int32] = []
    /// Of those caught, the ones that do nothing once the port is gone, in place of what they otherwise do.
    var ignoredAfter: [Int32] = []

    /// Every signal of `SignalTable`.
    static var daemon: Plan {
      Plan(
        caught: SignalTable.numbers(.end, .reload, .refuse), caughtIfSent: SignalTable.numbers(.endIfSent),
        ignored: SignalTable.numbers(.ignore),
        // A hangup that comes while the run's results are printed must not cost them.
        ignoredAfter: SignalTable.numbers(.reload, .refuse))
    }

    var all: [Int32] { caught + caughtIfSent + ignored }
  }

  private let plan: Plan
  private let pipe: WakePipe

  /// - Precondition: no other port lives; the numbers fit in a byte.
  init(_ plan: Plan) throws(Problem) {
    self.plan = plan
    pipe = try WakePipe()
    let wasFree = signalTarget.compareExchange(expected: -1, desired: pipe.writeEnd, ordering: .relaxed)
      .exchanged
    precondition(wasFree, "a process has one port for signals")
    signalSource.store(pipe.readEnd, ordering: .relaxed)
    isSignalPending.store(false, ordering: .relaxed)
    for number in plan.ignored { signal(number, SIG_IGN) }
    for number in plan.caught { signal(number, tellPort) }
    for number in plan.caughtIfSent { Self.catchSent(number) }
    unblock()
  }

  /// The process that started this one may have left signals blocked; then Ctrl-C would never arrive.
  private func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in plan.all { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  deinit {
    for number in plan.all { signal(number, plan.ignoredAfter.contains(number) ? SIG_IGN : SIG_DFL) }
    signalTarget.store(-1, ordering: .relaxed)
    signalSource.store(-1, ordering: .relaxed)
  }

  /// Readable when a signal has come.
  var descriptor: Int32 { pipe.readEnd }

  /// The signals that came, in order.
  func drain() -> [Int32] { pipe.drain().map(Int32.init) }

  private static func catchSent(_ number: Int32) {
    var action = sigaction()
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    #if canImport(Glibc)
      action.__sigaction_handler.sa_sigaction = tellPortIfSent
    #elseif canImport(Musl)
      action.__sa_handler.sa_sigaction = tellPortIfSent
    #elseif canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = tellPortIfSent
    #endif
    sigaction(number, &action, nil)
  }
}

/// Where the handler writes, which cannot be handed anything; -1 while there is no port.
private let signalTarget = Atomic<Int32>(-1)

/// The other end of the same pipe, and whether anything was ever written while the present port lives.
private let signalSource = Atomic<Int32>(-1)
private let isSignalPending = Atomic(false)

/// Runs in the middle of anything: it writes one byte and touches nothing else.
private let tellPort: @convention(c) (Int32) -> Void = { number in
  let saved = errno
  // These two do not end a run; nothing but comparing numbers is allowed here.
  if number != SIGHUP, number != SIGTSTP { isSignalPending.store(true, ordering: .relaxed) }
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalTarget.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

/// As `tellPort` for a signal of another process. One that this process caused happens again, with what it does by
/// itself: a fault because its instruction is run again, any other because it is raised again.
private let tellPortIfSent:
  @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
    number, info, _ in
    #if canImport(Glibc)
      let sender = info?.pointee._sifields._kill.si_pid ?? 0
    #elseif canImport(Darwin)
      let sender = info?.pointee.si_pid ?? 0
    #else
      let sender = getpid()
    #endif
    // What the kernel finds out itself has a code above zero.
    let isSent = (info?.pointee.si_code ?? 1) <= 0
    if isSent, sender != getpid() {
      tellPort(number)
      return
    }
    signal(number, SIG_DFL)
    if isSent { raise(number) }
  }

/// Room for what a process writes, so that a reader who does not read cannot keep the process from ending.
public enum OutputSpace {
  /// The most bytes that may be written after `wait` without waiting: what a pipe takes in one piece.
  public static let piece = 4096
  /// How long a reader may take once the process was asked to end, in milliseconds.
  private static let patience: Int32 = 300

  /// Blocks until the descriptor takes a piece. May be called from any thread.
  ///
  /// - Returns: false when a signal asked the process to end and the reader does not read.
  public static func wait(for descriptor: Int32) -> Bool {
    while true {
      let isEnding = isSignalPending.load(ordering: .relaxed)
      var limit: Int32 = isEnding ? patience : -1
      var entries = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
      if !isEnding {
        let source = signalSource.load(ordering: .relaxed)
        entries.append(pollfd(fd: source, events: Int16(POLLIN), revents: 0))
      }
      var count = poll(&entries, nfds_t(entries.count), limit)
      if count > 0, entries[0].revents == 0, !isSignalPending.load(ordering: .relaxed) {
        // A signal that does not end the run waits to be read; polling beside it would spin.
        limit = Self.patience
        count = poll(&entries, 1, limit)
        if count == 0 { continue }
      }
      // An error is for the write to find.
      if count > 0, entries[0].revents != 0 { return true }
      if count < 0, errno != EINTR { return true }
      if count == 0 { return false }
    }
  }
}
