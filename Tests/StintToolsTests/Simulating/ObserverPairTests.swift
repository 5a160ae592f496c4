import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@testable import StintTools

@Suite struct ObserverPairTests {
  private final class Listener: HostObserver {
    let heard = Locked<[String]>([])
    func served(_ effect: ServiceEffect, at instant: Instant) { heard.withLock { $0.append("\(effect)") } }
  }

  @Test("both observers receive the effects of services")
  func services() {
    let (first, second) = (Listener(), Listener())
    ObserverPair(first, second).served(.launch("app", .visit), at: .epoch)
    #expect(first.heard.withLock { $0 }.count == 1)
    #expect(first.heard.withLock { $0 } == second.heard.withLock { $0 })
  }
}
