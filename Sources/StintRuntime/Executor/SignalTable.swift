import StintSystem

/// The response of a daemon to each signal. When a signal from another process ends the run, no device stays
/// on, unless the signal cannot be caught.
public enum SignalTable {
  /// A response to a signal.
  public enum Response: Hashable, Sendable {
    /// End the run in order: switch devices off, save state, show the ledger.
    case end
    /// Respond as for `end` when another process sent the signal. When this process caused the signal, for
    /// example by a fault, the default disposition applies.
    case endIfSent
    /// Reload policies and the site file.
    case reload
    /// Continue the run and log the reason why the run does not stop.
    case refuse
    /// Ignore the signal. The system call that caused the signal returns an error.
    case ignore
    /// Keep the default disposition, which is to ignore the signal.
    case leave
    /// No response is possible: the system always ends or stops the process.
    case uncatchable
  }

  /// A signal with its response.
  public struct Row: Hashable, Sendable {
    /// The signal number on this system.
    public var number: Int32
    /// The name, as in `SIGHUP`.
    public var name: String
    /// The response of a daemon.
    public var response: Response
  }

  /// All signals of the system, in ascending order of their numbers.
  public static let rows: [Row] = {
    var rows = named.map { Row(number: $0.0, name: $0.1, response: $0.2) }
    #if os(Linux) || os(Android)
      for number in realTime { rows.append(Row(number: number, name: "SIG\(number)", response: .end)) }
    #endif
    return rows.sorted { $0.number < $1.number }
  }()

  /// Returns the response of a daemon to a signal.
  public static func response(to number: Int32) -> Response {
    rows.first { $0.number == number }?.response ?? .leave
  }

  /// Returns the name of a signal, as in `SIGHUP`.
  public static func name(of number: Int32) -> String {
    rows.first { $0.number == number }?.name ?? "signal \(number)"
  }

  /// Returns the signal numbers with one of these responses.
  static func numbers(_ responses: Response...) -> [Int32] {
    rows.filter { responses.contains($0.response) }.map(\.number)
  }

  #if os(Linux) || os(Android)
    /// The real-time signals. The C library reserves the two numbers before them.
    private static let realTime: ClosedRange<Int32> = 34...64
  #endif

  private static let named: [(Int32, String, Response)] = {
    var named: [(Int32, String, Response)] = [
      (SIGHUP, "SIGHUP", .reload), (SIGINT, "SIGINT", .end), (SIGQUIT, "SIGQUIT", .end),
      (SIGTERM, "SIGTERM", .end), (SIGUSR1, "SIGUSR1", .end), (SIGUSR2, "SIGUSR2", .end),
      (SIGALRM, "SIGALRM", .end), (SIGVTALRM, "SIGVTALRM", .end), (SIGPROF, "SIGPROF", .end),
      (SIGIO, "SIGIO", .end), (SIGXCPU, "SIGXCPU", .end),
      (SIGILL, "SIGILL", .endIfSent), (SIGTRAP, "SIGTRAP", .endIfSent), (SIGABRT, "SIGABRT", .endIfSent),
      (SIGBUS, "SIGBUS", .endIfSent), (SIGFPE, "SIGFPE", .endIfSent), (SIGSEGV, "SIGSEGV", .endIfSent),
      (SIGSYS, "SIGSYS", .endIfSent),
      (SIGTSTP, "SIGTSTP", .refuse),
      (SIGPIPE, "SIGPIPE", .ignore), (SIGXFSZ, "SIGXFSZ", .ignore), (SIGTTIN, "SIGTTIN", .ignore),
      (SIGTTOU, "SIGTTOU", .ignore),
      (SIGCHLD, "SIGCHLD", .leave), (SIGCONT, "SIGCONT", .leave), (SIGURG, "SIGURG", .leave),
      (SIGWINCH, "SIGWINCH", .leave),
      (SIGKILL, "SIGKILL", .uncatchable), (SIGSTOP, "SIGSTOP", .uncatchable),
    ]
    #if os(Linux) || os(Android)
      named += [(SIGPWR, "SIGPWR", .end), (SIGSTKFLT, "SIGSTKFLT", .end)]
    #endif
    return named
  }()
}
