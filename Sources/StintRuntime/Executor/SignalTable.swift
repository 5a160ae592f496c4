#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a daemon does about every signal of the system: no signal but those that cannot be caught leaves a device on.
public enum SignalTable {
  /// What a signal makes a daemon do.
  public enum Response: Hashable, Sendable {
    /// The run ends cleanly: devices off, state kept, ledger shown.
    case end
    /// As `end` when another process sent it; a fault of the process itself ends it as ever.
    case endIfSent
    /// Policies and site are read again.
    case reload
    /// The run goes on, and says why it does not stop.
    case refuse
    /// Nothing; what it tells of is seen as an error of the call that caused it.
    case ignore
    /// Nothing, as the system has it.
    case leave
    /// Nothing can be done: the system ends or stops the process.
    case uncatchable
  }

  /// A signal with its response.
  public struct Row: Hashable, Sendable {
    public var number: Int32
    public var name: String
    public var response: Response
  }

  /// Every signal of the system, in the order of their numbers.
  public static let rows: [Row] = {
    var rows = named.map { Row(number: $0.0, name: $0.1, response: $0.2) }
    #if os(Linux) || os(Android)
      for number in realTime { rows.append(Row(number: number, name: "SIG\(number)", response: .end)) }
    #endif
    return rows.sorted { $0.number < $1.number }
  }()

  /// What a signal makes a daemon do.
  public static func response(to number: Int32) -> Response {
    rows.first { $0.number == number }?.response ?? .leave
  }

  /// The name of a signal, as in `SIGHUP`.
  public static func name(of number: Int32) -> String {
    rows.first { $0.number == number }?.name ?? "signal \(number)"
  }

  /// The numbers with one of these responses.
  static func numbers(_ responses: Response...) -> [Int32] {
    rows.filter { responses.contains($0.response) }.map(\.number)
  }

  #if os(Linux) || os(Android)
    /// Signals without a meaning of their own; the C library keeps the two before them for itself.
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
