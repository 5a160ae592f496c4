import StintTestSupport
import Testing

@testable import StintBus

@Suite struct ChannelStateMachineTests {
  /// Runs all permitted event sequences of this length. Returns the first sequence on which the state machine
  /// and the model differ, or which violates a guarantee; nil without such a sequence.
  private func firstDifference(from pair: ChannelPair, length: Int, count: inout Int) -> [ChannelEvent]? {
    // After the end, the state machine and the model are both empty. Events after the end are tested only
    // while at least four events of the sequence remain.
    guard length > 0, !(pair.isOver && length < 4) else { return nil }
    for event in ChannelEvent.allCases where pair.allows(event) {
      var branch = pair
      let shown = branch.apply(event)
      count += 1
      if shown.machine != shown.naive || !branch.countsAgree || !branch.keepsPromises
        || branch.machine.end != branch.naive.end
      {
        return [event]
      }
      if let rest = firstDifference(from: branch, length: length - 1, count: &count) { return [event] + rest }
    }
    return nil
  }

  @Test(
    "in sequences of up to eight events (unit tier: six), a channel matches its model and its guarantees",
    arguments: [OverflowPolicy.latest, .dropOldest(capacity: 2)])
  func matchesNaiveChannel(policy: OverflowPolicy) {
    var count = 0
    let difference = firstDifference(
      from: ChannelPair(policy: policy), length: Tier.current >= .gate ? 8 : 6, count: &count)
    #expect(difference == nil)
    #expect(count > (Tier.current >= .gate ? 20_000 : 2000))
  }

  /// Compares long sequences of events with larger buffers, so that the buffers wrap around. Events that end
  /// the channel are rare, so that the sequences become long.
  @Test(
    "in long random sequences of events, a channel matches its model and keeps its guarantees",
    arguments: [
      OverflowPolicy.latest, .dropOldest(capacity: 3), .dropOldest(capacity: 7),
    ])
  func longSequencesMatch(policy: OverflowPolicy) {
    let lively: [ChannelEvent] = [
      .offer, .offer, .offer, .next, .next, .drainAll,
    ]
    for seed in 1...40 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var pair = ChannelPair(policy: policy)
      for step in 0..<200 {
        let isRare = UInt.random(in: 0..<60, using: &generator) == 0
        let events = (isRare ? ChannelEvent.allCases : lively).filter { pair.allows($0) }
        guard let event = events.randomElement(using: &generator) else { continue }
        let shown = pair.apply(event)
        guard shown.machine == shown.naive, pair.countsAgree, pair.keepsPromises,
          pair.machine.end == pair.naive.end
        else {
          Issue.record("seed \(seed), step \(step): \(event) showed \(shown)")
          return
        }
      }
    }
  }

  @Test func `a failure is delivered once, after the batches before it`() {
    var machine = ChannelStateMachine<Letter>(policy: .dropOldest(capacity: 4))
    _ = machine.offer(Letter(number: 1))
    _ = machine.finish(with: ChannelPair.failure)
    var told: [Observation.Told] = []
    for number in 2...5 {
      switch machine.next(for: WaiterID(number: UInt64(number))).delivery {
      case .element(let letter): told.append(.letter(letter))
      case .failure(let failure): told.append(.failure(failure))
      case .end: told.append(.end)
      case nil: Issue.record("the channel has ended, but the consumer would wait")
      }
    }
    #expect(told == [.letter(Letter(number: 1)), .failure(ChannelPair.failure), .end, .end])
  }
}
