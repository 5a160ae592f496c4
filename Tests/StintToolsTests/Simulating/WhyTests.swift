import StintGovernor
import StintModel
import StintReplay
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite struct WhyTests {
  @Test("F1: `why` reports client, demand, rules, grant, setting, and facts that would change the decision")
  func why() throws {
    let temporaryFiles = TemporaryFiles()
    let journal = temporaryFiles.path("j")
    let request = SimulationRequest(
      policies: [try temporaryFiles.policy()], scenario: try temporaryFiles.walk(), journal: journal)
    let report = try SimulationRun(request).run().report
    let walking = try WhyQuery.report("location.gnss", at: "08:03", journal: journal)
    #expect(walking.headline == "on, track, 60 mW, since 08:00:47 (2 min 13 s)")
    let text = walking.text
    for part in [
      "demanded by  trail-app #1", "accuracy 10 m", "served, by location.gnss", "by walk/hold", "setting",
      "limited by   walk/hold", "batch until 100 m or 1 min", "would stop   walk/still",
      "motion.activity is walking, needs still",
    ] { #expect(text.contains(part), "“\(part)” is missing in\n\(text)") }
    let resting = try WhyQuery.report("location.gnss", at: "08:06", journal: journal)
    #expect(resting.headline.hasPrefix("off, "))
    #expect(resting.text.contains("paused; by walk/hold, walk/still"))
    // Replaying the whole journal repeats all decisions.
    let moment = try JournalReplay.moment(of: journal, at: nil)
    #expect(moment.decisions == report.decisions)
    #expect(moment.governor.ledger(at: moment.reached).isBalanced)
  }

  @Test("an invalid journal, an unknown device and an invalid time are refused")
  func refusals() throws {
    let temporaryFiles = TemporaryFiles()
    let journal = temporaryFiles.path("j")
    _ = try SimulationRun(
      SimulationRequest(policies: [], scenario: try temporaryFiles.walk(), journal: journal)
    )
    .run()
    #expect(throws: Problem.self) { try WhyQuery.report("location.gps", at: nil, journal: journal) }
    #expect(throws: Problem.self) { try WhyQuery.report("location.gnss", at: "25:00", journal: journal) }
    #expect(throws: Problem.self) {
      try WhyQuery.report("location.gnss", at: nil, journal: "/no/such/journal")
    }
    let garbage = try temporaryFiles.file("garbage", "this is no journal")
    #expect(throws: Problem.self) { try WhyQuery.report("location.gnss", at: nil, journal: garbage) }
  }
}
