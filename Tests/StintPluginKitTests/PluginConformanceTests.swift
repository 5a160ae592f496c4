import StintModel
import StintPluginKit
import StintUnits
import Testing

@Suite struct PluginConformanceTests {
  @Test("a valid sensor passes every conformance check")
  func validSensor() async {
    let report = await PluginConformance.check(Thermometer(), at: .epoch)
    #expect(report.passed, "\(report)")
    #expect(report.verdicts.count == PluginCheck.allCases.count)
  }

  @Test(
    "X07: a defective sensor fails the check for its defect",
    arguments: [
      (Thermometer.Flaw.warmsUpInOpen, PluginCheck.offByDefault),
      (.skipsTransition, .transitions), (.deliversAfterOff, .silentWhenOff), (.repeatsSequence, .ascending),
      (.extraChannel, .channels), (.unknownFact, .honest), (.ignoresHolding, .holds),
      (.staysOnAtClose, .offAfterClose),
    ])
  func brokenSensor(flaw: Thermometer.Flaw, check: PluginCheck) async {
    let report = await PluginConformance.check(Thermometer(flaw: flaw), at: .epoch)
    #expect(report.failed.contains(check), "\(report)")
  }

  @Test("the conformance report names the device and the violated check")
  func reportText() async {
    let report = await PluginConformance.check(Thermometer(flaw: .extraChannel), at: .epoch)
    let text = report.description
    #expect(text.hasPrefix("test.thermometer\n"))
    #expect(text.contains("broken: channels that the manifest does not declare stay empty: sample 0"))
  }
}
