import StintSystem

/// Blocks SIGINT, SIGTERM and SIGHUP, so that they do not end the process.
///
/// Long work can then stop at a safe point and print a partial result. Create the value before the work
/// starts any thread, because threads inherit the blocked signals.
package struct DeferredSignals: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The signal mask of the thread before `init` blocked the signals.
  private let before: sigset_t

  package init() {
    var signals = Self.set
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    self.before = before
  }

  /// True when one of the signals is pending.
  package var isPending: Bool {
    var pending = sigset_t()
    guard sigpending(&pending) == 0 else { return false }
    return Self.signals.contains { sigismember(&pending, $0) == 1 }
  }

  /// Consumes the pending signals and restores the signal mask.
  ///
  /// - Returns: true when a signal was pending.
  package func end() -> Bool {
    var signals = Self.set
    let wasPending = isPending
    while isPending {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { break }
    }
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return wasPending
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    return set
  }
}
