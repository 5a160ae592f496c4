import StintGovernor
import StintModel
import StintUnits
import Testing

@testable import StintLanguage

/// The analysis of dead ends assumes a course of each fact while a device is off. These tests compare the
/// assumptions with a governor.
@Suite("Courses of computed facts while a device is off")
struct FactCourseTests {
  private static let policy = """
    policy "p"
    default test.sensor { linger 0 s }
    rule r when wakeups(test.sensor) > 9 per h or starts(test.sensor) > 9 per h or energy(test.sensor) > 1 kJ
      or test.sensor.powered for 9 h or test.sensor.batch_done or used_by(test.sensor, moves)
      or unexplained(test.sensor) > 1 h { emit "x" }
    """

  private func bench() throws -> GovernorBench {
    var bench = try GovernorBench()
    try bench.load(Self.policy, at: 0)
    return bench
  }

  /// Returns the numbers of the computed facts by path.
  private func values(_ governor: Governor) -> [String: Double] {
    let vocabulary = governor.vocabulary
    return Dictionary(
      uniqueKeysWithValues: vocabulary.computed.compactMap { fact in
        vocabulary.fact(fact.schema.path).map { (fact.schema.path, governor.facts.value($0).number) }
      })
  }

  @Test("two days after a device turned off, each computed fact of the device has a value of its course")
  func agree() throws {
    var bench = try bench()
    for start in [10.0, 100, 200] {
      let demand = bench.raise("app", at: start)
      bench.input(.release(demand), at: start + 50)
    }
    bench.run(to: 300)
    let before = values(bench.governor)
    #expect(before["wakeups(test.sensor)"] == 3 / 3600.0)
    #expect((before["energy(test.sensor)"] ?? 0) > 1)
    bench.input(.fact(0, bench.governor.facts.value(0)), at: 172_800)
    let after = values(bench.governor)
    let off = OffDeviceFacts(vocabulary: bench.governor.vocabulary, devices: ["test.sensor"])
    #expect(after.count == 7)
    for (path, value) in after {
      switch off.course(of: path) {
      case .settles(let values): #expect(values.contains(value), "\(path) is \(value)")
      case .keeps: #expect(value == before[path], "\(path) is \(value)")
      case .varies, .rises, .neverTrue: Issue.record("\(path) has no fixed course")
      }
    }
  }

  @Test("while another device is off, no computed fact of the device has a limited course")
  func unrelated() throws {
    let bench = try bench()
    let off = OffDeviceFacts(vocabulary: bench.governor.vocabulary, devices: ["test.radio"])
    for fact in bench.governor.vocabulary.computed {
      #expect(off.course(of: fact.schema.path) == .varies, "\(fact.schema.path)")
    }
  }
}
