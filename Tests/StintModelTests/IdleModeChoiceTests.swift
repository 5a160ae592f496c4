import StintModel
import StintUnits
import Testing

@Suite struct IdleModeChoiceTests {
  /// A receiver that draws 23 mA at 3 V when on. A hot fix takes 4 s, and a cold fix takes 47 s.
  private func receiver(standby: Double?) -> Manifest {
    func power(_ milliamperes: Double) -> Power { Power(nanowatts: Int64(milliamperes * 3_000_000)) }
    var states = [PowerState(name: "off", power: .zero, isOn: false)]
    if let standby { states.append(PowerState(name: "standby", power: power(standby), isOn: false)) }
    states.append(PowerState(name: "search", power: power(23), isOn: true))
    states.append(PowerState(name: "track", power: power(23), isOn: true))
    return Manifest(
      device: "location.gnss", kind: .sensor, title: "receiver", states: states,
      figures: ["hot_fix": Quantity(4, .time), "cold_fix": Quantity(47, .time)])
  }

  private func rest(_ standby: Double?, _ seconds: Int64) throws -> IdleModeChoice.IdleMode {
    try #require(IdleModeChoice(receiver(standby: standby))).cheapest(over: .seconds(seconds))
  }

  @Test("F12 W15: off is cheapest for pauses above 13.7 h at 0.02 mA in standby, and above 103 s at 10 mA")
  func offOrStandby() throws {
    // A cold fix costs 989 mA s more than a hot fix: 43 s at 23 mA. So the limits are 4 s plus 989 / 0.02 s,
    // and 4 s plus 989 / 10 s.
    #expect(try rest(0.02, 49_453) == .standby)
    #expect(try rest(0.02, 49_455) == .off)
    #expect(try rest(10, 102) == .standby)
    #expect(try rest(10, 104) == .off)
  }

  @Test(
    "F12: a receiver stays on if a fix is needed within the time of a cold fix (with standby: a hot fix)")
  func onOrOff() throws {
    #expect(try rest(nil, 47) == .track)
    #expect(try rest(nil, 48) == .off)
    #expect(try rest(0.02, 4) == .track)
    #expect(try rest(0.02, 5) == .standby)
  }

  @Test(
    "F12: from the break-even time on, idling and the following search cost no more than staying on")
  func breakEven() throws {
    // The search draws as much power as tracking, so the break-even time is the search time plus a margin.
    #expect(try #require(IdleModeChoice(receiver(standby: 0))).breakEven == .milliseconds(4010))
    #expect(try #require(IdleModeChoice(receiver(standby: nil))).breakEven == .milliseconds(47_010))
    #expect(try #require(IdleModeChoice(receiver(standby: 23))).breakEven == .unlimited)
    var dear = receiver(standby: 0)
    dear.states[2] = PowerState(name: "search", power: Power(nanowatts: 138_000_000), isOn: true)
    // The search draws twice the power of tracking for 4 s, as much energy as 8 s of tracking.
    #expect(try #require(IdleModeChoice(dear)).breakEven == .seconds(8))
  }

  @Test(
    "`IdleModeChoice` is nil for a manifest without a required figure or state"
  ) func nothingToChooseBy() {
    var manifest = receiver(standby: 1)
    manifest.figures["cold_fix"] = nil
    #expect(IdleModeChoice(manifest) == nil)
    manifest = receiver(standby: 1)
    manifest.states.removeAll { $0.name == "track" }
    #expect(IdleModeChoice(manifest) == nil)
  }
}
