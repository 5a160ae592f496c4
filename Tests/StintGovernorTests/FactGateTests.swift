import StintGovernor
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Rate limits of facts") struct FactGateTests {
  private let pace = TimeSpan.seconds(10)
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func governor() -> Governor {
    let schema = FactSchema(path: "x", type: .quantity(.none), fastest: pace)
    return Governor(vocabulary: Vocabulary(manifests: [], declared: [schema]), at: start)
  }

  private func value(_ governor: Governor) -> Double? {
    if case .number(let number) = governor.facts.value(0) { number } else { nil }
  }

  @Test("a value within the rate or the burst is set at once")
  func pacing() {
    var governor = governor()
    for number in 0..<4 {
      _ = governor.step(.fact(0, .number(Double(number))), at: start)
      #expect(value(governor) == Double(number))
    }
    for round in 1..<10 {
      _ = governor.step(
        .fact(0, .number(Double(100 + round))), at: start + pace.times(Int64(round), capped: .unlimited))
      #expect(value(governor) == Double(100 + round))
    }
  }

  @Test("when values exceed the rate, the newest of them is set as soon as the rate permits")
  func coalescing() {
    var governor = governor()
    for number in 0..<9 { _ = governor.step(.fact(0, .number(Double(number))), at: start) }
    #expect(value(governor) == 3)
    #expect(governor.nextTimer == start + pace)
    _ = governor.step(EmptyCollection(), at: start + pace)
    #expect(value(governor) == 8)
    #expect(governor.nextTimer == .distantFuture)
  }

  @Test(
    "the number of values in each time span stays within rate and burst, and the last value is never lost")
  func bounded() {
    for seed in Trials(200).rounds {
      var random = SeededGenerator(seed: UInt64(seed))
      var governor = governor()
      var now = start
      var acceptedAt: [Instant] = []
      var last = 0.0
      for number in 1...120 {
        now = now + TimeSpan(nanoseconds: Int64.random(in: 0...8_000_000_000, using: &random))
        while governor.nextTimer <= now {
          let due = governor.nextTimer
          let before = value(governor)
          _ = governor.step(EmptyCollection(), at: due)
          if value(governor) != before { acceptedAt.append(due) }
        }
        let before = value(governor)
        last = Double(number)
        _ = governor.step(.fact(0, .number(last)), at: now)
        if value(governor) != before { acceptedAt.append(now) }
      }
      _ = governor.step(EmptyCollection(), at: now + .minutes(10))
      #expect(value(governor) == last)
      for (first, begin) in acceptedAt.enumerated() {
        for span in [TimeSpan.seconds(1), .seconds(35), .minutes(2)] {
          let count = acceptedAt[first...].count { $0 - begin <= span }
          #expect(count <= governor.vocabulary.facts[0].maxValues(within: span) ?? 0)
        }
      }
    }
  }
}
