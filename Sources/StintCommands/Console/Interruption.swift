#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Holds the signals that ask the process to end, so that long work can stop between two parts and show what it has.
///
/// To be made before any thread of the work: threads begin with what their maker holds.
package struct Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// What the thread held before.
  private let before: sigset_t

  package init() {
    var signals = Self.set
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    self.before = before
  }

  /// Whether one of them has come.
  package var isPending: Bool {
    var pending = sigset_t()
    guard sigpending(&pending) == 0 else { return false }
    return Self.signals.contains { sigismember(&pending, $0) == 1 }
  }

  /// Lets go; those that have come are over.
  ///
  /// - Returns: whether any had come.
  package func end() -> Bool {
    var signals = Self.set
    let came = isPending
    while isPending {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { break }
    }
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return came
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    return set
  }
}
