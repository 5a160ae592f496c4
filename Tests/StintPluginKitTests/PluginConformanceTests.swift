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

  /// A source with two facts that are read on request. It publishes only the facts in `published`.
  private actor Source: SourcePlugin {
    nonisolated let manifest: Manifest
    private let published: [String]
    private var port: DevicePort?

    init(publishes published: [String], classes: [String] = []) {
      self.published = published
      var manifest = Manifest(
        device: "test.source", kind: .source, title: "",
        facts: ["a", "b"].map {
          FactSchema(
            path: "test.source.\($0)", type: .quantity(.none), reading: FactReading(every: .seconds(1)))
        })
      manifest.statedClasses = classes
      self.manifest = manifest
    }

    func open(_ port: DevicePort, at instant: Instant) throws(Problem) { self.port = port }
    func read(at instant: Instant) { for name in published { port?.publish(name, .unknown, at: instant) } }
    func apply(_ setting: Setting, at instant: Instant) throws(Problem) {}
    func wake(at instant: Instant, horizon: Instant) {}
    func close(at instant: Instant) {}
  }

  @Test("a source that does not publish every fact of a reading fails the check of readings")
  func source() async {
    let complete = await PluginConformance.check(Source(publishes: ["a", "b"]), at: .epoch)
    #expect(complete.passed, "\(complete)")
    let report = await PluginConformance.check(Source(publishes: ["a"]), at: .epoch)
    #expect(report.failed == [.reads], "\(report)")
  }

  @Test("a source without the facts of its class fails the check of classes")
  func wrongClass() async {
    let source = Source(publishes: ["a", "b"], classes: ["power.thermal"])
    let report = await PluginConformance.check(source, at: .epoch)
    #expect(report.failed == [.classed], "\(report)")
  }

  @Test("the conformance report names the device and the violated check")
  func reportText() async {
    let report = await PluginConformance.check(Thermometer(flaw: .extraChannel), at: .epoch)
    let text = report.description
    #expect(text.hasPrefix("test.thermometer\n"))
    #expect(text.contains("broken: channels that the manifest does not declare stay empty: sample 0"))
  }
}
