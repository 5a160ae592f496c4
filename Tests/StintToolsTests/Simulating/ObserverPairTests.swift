import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@testable import StintTools

@Suite struct ObserverPairTests {
  private final class Listener: HostObserver {
    let received = Locked<[String]>([])
    func served(_ effect: ServiceEffect, at instant: Instant) { received.withLock { $0.append("\(effect)") } }
  }

  @Test("a pair of observers passes the effects of services to both observers")
  func services() {
    let (first, second) = (Listener(), Listener())
    ObserverPair(first, second).served(.launch("app", .visit), at: .epoch)
    #expect(first.received.withLock { $0 }.count == 1)
    #expect(first.received.withLock { $0 } == second.received.withLock { $0 })
  }
}
