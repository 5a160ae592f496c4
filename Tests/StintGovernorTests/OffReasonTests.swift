import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The reason for switching a device off")
struct OffReasonTests {
  /// Returns the reasons of the settings that switch the sensor off, in their order.
  private func reasons(_ bench: inout GovernorBench, _ change: (inout GovernorBench) throws -> Void) rethrows
    -> [String]
  {
    let before = bench.effects.count
    try change(&bench)
    return bench.effects.dropFirst(before).compactMap { effect in
      guard case .setting("test.sensor", let setting, let cause) = bench.governor.event(of: effect),
        !setting.isOn
      else { return nil }
      return Governor.reasonForOff(cause)
    }
  }

  @Test("after the last demand ended, the reason names no demand")
  func ended() throws {
    var bench = try GovernorBench()
    let demand = bench.raise("app", at: 1)
    let found = reasons(&bench) { bench in
      bench.input(.release(demand), at: 2)
      bench.run(to: 60)
    }
    #expect(found == ["no demand needs it"])
  }

  @Test("after a rule stopped the demand, the reason names the demand and the rule")
  func stopped() throws {
    var bench = try GovernorBench()
    _ = bench.raise("app", at: 1)
    let found = try reasons(&bench) { bench in
      try bench.load(
        "policy \"p\"\nrule r while 5 m < 6 m and demanded(test.sensor) { stop test.sensor }", at: 2)
      bench.run(to: 60)
    }
    #expect(found == ["app #1 [p/r] stopped"])
  }
}
