import StintGovernor
import StintModel
import StintUnits
import Testing

@Suite struct FaultHistoryTests {
  private func history(_ faults: [(Int64, String)]) throws -> FaultHistory {
    let bench = try GovernorBench()
    var governor = bench.governor
    for (second, text) in faults {
      _ = governor.step(
        .outcome(device: bench.sensor, .fault(text)), at: bench.start + .seconds(second))
    }
    return try #require(governor.status(of: "test.sensor")).faultHistory
  }

  @Test("faults with equal texts have one entry, with their number and the times of the first and last fault")
  func equalTexts() throws {
    let start = try GovernorBench().start
    let faults = try history([(1, "hang"), (2, "flood"), (3, "hang")])
    #expect(faults.count == 3 && faults.lastText == "hang")
    #expect(faults.entries.map(\.text) == ["flood", "hang"])
    #expect(faults.entries.map(\.count) == [1, 2])
    #expect(faults.entries[1].first == start + .seconds(1))
    #expect(faults.entries[1].last == start + .seconds(3))
  }

  @Test("the history keeps the eight most recent texts and counts all faults")
  func bounded() throws {
    let faults = try history((1...20).map { ($0, "fault \($0)") } + [(21, "fault 14")])
    #expect(faults.count == 21)
    #expect(faults.entries.map(\.text) == [13, 15, 16, 17, 18, 19, 20, 14].map { "fault \($0)" })
  }
}
