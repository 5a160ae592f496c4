import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The wake coalescer, without a governor") struct WakeCoalescerTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let vocabulary = Vocabulary(manifests: GovernorBench.manifests)

  private func link(_ demand: Int64) -> Cause.Link {
    Cause.Link(
      client: "app", demand: DemandID(demand), rules: [], grant: Grant(status: .served), service: nil)
  }

  @Test("the wake requests of a step give one wake-up, whose cause lists each demand once, in order")
  func joins() {
    var waking = WakeCoalescer(vocabulary.manifests)
    #expect(!waking.hasRequests)
    waking.request(for: [link(3), link(1)], device: 0)
    waking.request(for: [link(1), link(2)], device: 1)
    #expect(waking.hasRequests && waking.isRequested(by: 1) && !waking.isRequested(by: 2))
    let cause = waking.wake("test.processor")
    #expect(cause.links.map(\.demand) == [DemandID(1), DemandID(2), DemandID(3)])
    #expect(waking.cause == cause)
    waking.endStep()
    #expect(!waking.hasRequests && !waking.isRequested(by: 1))
    waking.counts(2, in: vocabulary)
    #expect(waking.count == 2)
    let sources = vocabulary.manifests[..<2].map(\.device)
    #expect(waking.countByDevice == [sources[0]: 2, sources[1]: 2])
  }

  @Test("the processor is awake for a second after a wake-up")
  func awake() {
    var waking = WakeCoalescer(vocabulary.manifests)
    #expect(!waking.isAwake(at: start))
    waking.isAwake(from: start)
    #expect(waking.isAwake(at: start + .milliseconds(999)))
    #expect(!waking.isAwake(at: start + .seconds(1)))
  }

  @Test("the break-even gap is the cost of waking divided by the power saved")
  func breakEven() {
    // 30 mJ for waking and 147 mW saved give 204 ms.
    let waking = WakeCoalescer(vocabulary.manifests)
    #expect(waking.breakEven == TimeSpan(nanoseconds: 204_081_632))
  }

  @Test("a host without a processor is never woken")
  func none() {
    var waking = WakeCoalescer([])
    waking.request(for: [link(1)], device: 0)
    #expect(waking.processor == nil && !waking.hasRequests && waking.breakEven == .zero)
  }
}
