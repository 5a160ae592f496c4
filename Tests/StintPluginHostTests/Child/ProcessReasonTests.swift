import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

#if os(Linux) && canImport(Glibc)
  import Glibc
#endif

/// The reasons why a process does not serve its device.
@Suite struct ProcessReasonTests {
  private static let crash = ChildFailure(.crash, "was ended by signal 9")

  private func reason(_ state: Supervision.State, isRemoved: Bool = false) -> String? {
    var status = ChildStatus(state: state, process: nil, restarts: 0, lostSamples: 0)
    status.isRemoved = isRemoved
    return status.interruption(at: .epoch + .seconds(10))
  }

  @Test("each state of a process except `serving` has a reason")
  func reasons() {
    #expect(reason(.serving) == nil)
    #expect(reason(.starting) == "the plugin is starting")
    #expect(
      reason(.waiting(until: .epoch + .milliseconds(10_200), Self.crash))
        == "was ended by signal 9; the plugin restarts in 200 ms")
    #expect(
      reason(.quarantined(Self.crash)) == "was ended by signal 9; the plugin is not restarted")
    #expect(reason(.finished, isRemoved: true) == "the plugin was removed from the site")
    for state in [Supervision.State.idle, .closing, .dying(nil), .dying(Self.crash), .finished] {
      #expect(reason(state)?.isEmpty == false)
    }
  }

  #if os(Linux) && canImport(Glibc)
    @Test(
      "after a process was killed, the reason contains the signal",
      .enabled(if: ChildBench.hasPython, "the plugin is in Python"))
    func killed() throws {
      try ChildBench.run(nil) { bench in
        #expect(bench.set.interruption(0, at: bench.now) == nil)
        kill(try #require(bench.plugin.status.process), SIGKILL)
        _ = try await bench.first("the loss") { event in
          if case .available(false, _) = event { true } else { false }
        }
        let reason = bench.set.interruption(0, at: bench.now)
        #expect(reason?.hasPrefix("was ended by signal 9") == true, "\(reason ?? "none")")
      }
    }
  #endif
}
