import StintCompiler
import StintLanguage
import StintModel
import StintReplay
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// Tests a simulated walk under a policy with per-demand rules.
@Suite struct ClientRuleRunTests {
  private static let policy = """
    policy "walk" version 1
    use location.gnss as gps required
    use motion.accelerometer as accel
    rule hold while app.state is background { batch gps until 100 m or 1 min }
    rule spare "after 2 min on foot, demands with an accuracy of 10 m or finer get 60 m"
    while client.accuracy <= 10 m for 2 min and motion.activity is walking { downgrade gps to 60 m }
    rule steps while client.period < 1 s and client.name in ["trail-app", "coach"] { batch accel until 6 s }
    """

  @Test("F9: a journal with per-demand rules replays byte for byte, and `why` reports the demand")
  func replay() throws {
    let temporaryFiles = TemporaryFiles()
    let journal = temporaryFiles.path("j")
    let policy = try temporaryFiles.file("clients.stint", Self.policy)
    var request = SimulationRequest(policies: [policy], scenario: try temporaryFiles.walk(), journal: journal)
    let report = try SimulationRun(request).run().report
    request.journal = nil
    let again = try SimulationRun(request).run().report
    #expect(report.decisionLogHash == again.decisionLogHash)
    #expect(report.ledger.isBalanced)
    #expect(report.unexplained == .zero)
    let moment = try JournalReplay.moment(of: journal, at: nil)
    #expect(moment.decisions == report.decisions)
    let early = try WhyQuery.report("location.gnss", at: "08:01", journal: journal).text
    #expect(early.contains("would limit  walk/spare"), "\(early)")
    #expect(early.contains("downgrade to 60 m for trail-app #1; not in force"), "\(early)")
    #expect(early.contains("client.accuracy <= 10 m: true since"), "\(early)")
    let late = try WhyQuery.report("location.gnss", at: "08:03", journal: journal).text
    #expect(
      late.contains("downgrade to 60 m for trail-app #1; ends when client.accuracy is above 10 m"), "\(late)")
  }

  @Test("a rule for one client changes the energy of that client")
  func energy() throws {
    let temporaryFiles = TemporaryFiles()
    let scenario = try temporaryFiles.walk()
    func ledger(_ rule: String) throws -> Ledger {
      let text = "policy \"walk\" version 1\nuse location.gnss as gps\n" + rule
      let policy = try temporaryFiles.file("one.stint", text)
      return try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario)).run().report.ledger
    }
    let unpaused = try ledger("rule r while client.name == \"nobody\" { pause gps }")
    let paused = try ledger("rule r while client.name == \"trail-app\" { pause gps }")
    #expect(paused.byClient["trail-app"] ?? .zero < unpaused.byClient["trail-app"] ?? .zero)
    #expect(paused.byClient["mail"] == unpaused.byClient["mail"])
  }

  @Test("`check` reports the cost of each demand, and the limits apply to this cost")
  func cost() throws {
    let source = SourceText(file: "p", text: Self.policy)
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let check = PolicyCheck([source], vocabulary: vocabulary)
    #expect(check.cost?.stateSlots == 0)
    #expect(check.cost?.stateSlotsPerDemand == 1)
    #expect(check.text().contains("; for each demand "))
    let strict = PolicyCheck([source], vocabulary: vocabulary, limits: CostLimits(slots: 0))
    #expect(strict.diagnostics.contains { $0.code == .tooCostly })
  }
}
