import StintGovernor
import StintJournal
import StintModel
import StintReplay
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Time zones of runs")
struct TimeZoneTests {
  /// The policy pauses the receiver between 08:02 and 08:05 local time. The walk begins at 08:00 in Berlin.
  private static let policy = """
    policy "walk" version 1
    use location.gnss as gps required
    schedule rest = 08:02..08:05
    rule rest while time in rest { pause gps }
    """

  private let temporaryFiles = TemporaryFiles()
  private let file: String

  init() throws { file = try temporaryFiles.file("rest.stint", Self.policy) }

  private func run(in timeZone: String?) throws -> (journal: String, digest: String) {
    let journal = temporaryFiles.path("j")
    let request = SimulationRequest(
      policies: [file], scenario: try temporaryFiles.walk(),
      timeZone: timeZone, journal: journal)
    return (journal, try SimulationRun(request).run().report.decisionLogHash)
  }

  @Test(
    "a run in a named zone equals a run with the zone's offset, and a replay uses the zone of the journal")
  func replay() throws {
    let own = try run(in: nil)
    for (zone, isSame) in [
      ("UTC+2", true), ("CET-1CEST,M3.5.0,M10.5.0/3", true), ("UTC+1", false), ("IST-5:30", false),
    ] {
      let other = try run(in: zone)
      #expect((other.digest == own.digest) == isSame, "\(zone)")
      let world = try JournalReplay.world(of: other.journal).world
      #expect(
        world.timeZone.offset(at: .epoch + .seconds(1_778_911_200))
          == (isSame ? .hours(2) : world.timeZone.baseOffset))
      let moment = try JournalReplay.moment(of: other.journal, at: nil)
      #expect(moment.governor.timeZone == world.timeZone)
      #expect(moment.decisions > 0)
    }
    let resting = try WhyQuery.report("location.gnss", at: "08:03", journal: own.journal).text
    #expect(resting.contains("ends when schedule rest ends, at 08:05:00 if nothing changes"), "\(resting)")
  }

  @Test("naming the scenario's own fixed zone does not change the output")
  func sameBytes() throws {
    let journals = try [nil, "UTC+2", "UTC+02:00"].map { try run(in: $0).journal }
    let bytes = try journals.map { try FileText.read($0) }
    #expect(bytes[1] == bytes[0] && bytes[2] == bytes[0])
  }

  @Test("an unknown time zone is refused before the run")
  func refusal() throws {
    #expect {
      _ = try run(in: "Nowhere/AtAll")
    } throws: { error in
      (error as? Problem)?.place.name == "--time-zone Nowhere/AtAll"
    }
  }
}
