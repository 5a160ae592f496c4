import Testing

@testable import StintRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The response of a daemon to each signal.
@Suite struct SignalTableTests {
  #if os(Linux)
    @Test("every signal of the system has exactly one row in `SignalTable`")
    func complete() {
      // The C library reserves 32 and 33.
      let numbers = (1...64).filter { $0 != 32 && $0 != 33 }.map(Int32.init)
      #expect(SignalTable.rows.map(\.number) == numbers)
    }
  #endif

  @Test("every signal except KILL and STOP has a response, or does not affect the process")
  func harmless() {
    // The default disposition of these signals does not affect the process.
    let harmless: Set<Int32> = [SIGCHLD, SIGCONT, SIGURG, SIGWINCH]
    for row in SignalTable.rows {
      switch row.response {
      case .leave: #expect(harmless.contains(row.number), "\(row.name)")
      case .uncatchable: #expect([SIGKILL, SIGSTOP].contains(row.number), "\(row.name)")
      case .end, .endIfSent, .reload, .refuse, .ignore: break
      }
    }
    #expect(SignalTable.response(to: SIGHUP) == .reload)
    #expect([SIGTERM, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2].allSatisfy { SignalTable.response(to: $0) == .end })
  }

  @Test(
    "the plan of a daemon ignores SIGPIPE and SIGXFSZ, and catches SIGUSR1 and a SIGSEGV of another process"
  )
  func plan() {
    let plan = SignalPort.Plan.daemon
    #expect(Set(plan.all).count == plan.all.count)
    #expect(plan.ignored.contains(SIGPIPE) && plan.ignored.contains(SIGXFSZ))
    #expect(plan.caughtIfSent.contains(SIGSEGV) && plan.caught.contains(SIGUSR1))
  }
}
