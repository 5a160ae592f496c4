import Testing

@testable import StintBus

@Suite struct ChannelStateMachineTests {
  /// Walks all sequences of events of a length; returns the first on which machine and naive channel differ.
  private func firstDifference(from pair: ChannelPair, length: Int, count: inout Int) -> [ChannelEvent]? {
    // Once all is over nothing is left in either: what happens then is tried after the shorter ways only.
    guard length > 0, !(pair.isOver && length < 4) else { return nil }
    for event in ChannelEvent.allCases where pair.allows(event) {
      var branch = pair
      let shown = branch.apply(event)
      count += 1
      if shown.machine != shown.naive || !branch.countsAgree || branch.machine.end != branch.naive.end {
        return [event]
      }
      if let rest = firstDifference(from: branch, length: length - 1, count: &count) { return [event] + rest }
    }
    return nil
  }

  @Test(
    "every sequence of up to eight events does what the naive channel does",
    arguments: [OverflowPolicy.latest, .dropOldest(capacity: 2), .hold(capacity: 1)])
  func matchesNaiveChannel(policy: OverflowPolicy) {
    var count = 0
    let difference = firstDifference(from: ChannelPair(policy: policy), length: 8, count: &count)
    #expect(difference == nil)
    #expect(count > 20_000)
  }

  @Test func `a producer cancelled before it arrives is never held`() {
    var machine = ChannelStateMachine<Letter>(policy: .hold(capacity: 1))
    let early = WaiterID(number: 1)
    _ = machine.offer(Letter(number: 1))
    let wasHeld = machine.cancelSend(by: early)
    #expect(!wasHeld)
    let offered = machine.send(Letter(number: 2), by: early)
    #expect(offered?.result == .cancelled)
    let again = machine.send(Letter(number: 3), by: early)
    #expect(again == nil, "the cancellation counts once")
  }

  @Test func `a cancellation that comes after the producer went on is forgotten`() {
    var machine = ChannelStateMachine<Letter>(policy: .hold(capacity: 1))
    let waiter = WaiterID(number: 1)
    _ = machine.send(Letter(number: 1), by: waiter)
    _ = machine.cancelSend(by: waiter)
    machine.forget(waiter)
    _ = machine.next(for: WaiterID(number: 2))
    let offered = machine.send(Letter(number: 2), by: waiter)
    #expect(offered?.result == .accepted)
  }

  @Test func `a failure is told once, and after what came before it`() {
    var machine = ChannelStateMachine<Letter>(policy: .dropOldest(capacity: 4))
    _ = machine.offer(Letter(number: 1))
    _ = machine.finish(with: ChannelPair.failure)
    var told: [Observation.Told] = []
    for number in 2...5 {
      switch machine.next(for: WaiterID(number: UInt64(number))).delivery {
      case .element(let letter): told.append(.letter(letter))
      case .failure(let failure): told.append(.failure(failure))
      case .end: told.append(.end)
      case nil: Issue.record("nothing is left to wait for")
      }
    }
    #expect(told == [.letter(Letter(number: 1)), .failure(ChannelPair.failure), .end, .end])
  }
}
