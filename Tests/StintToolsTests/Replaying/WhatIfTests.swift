import StintGovernor
import StintJournal
import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@testable import StintReplay
@testable import StintRuntime

@Suite("What-if comparison of a journal with a candidate policy")
struct WhatIfTests {
  private let temporaryFiles = TemporaryFiles()

  private static let text = """
    policy "walk" version 1
    use location.gnss as gps required
    use motion.accelerometer as accel
    use radio.cellular as cell
    rule hold while app.state is background { batch gps until 100 m or 1 min  batch cell until 2 min }
    rule still while motion.activity is still for 1 min { pause gps }
    rule steps always { batch accel until 6 s }
    """

  private func policy(_ old: String = "", _ new: String = "") throws -> String {
    let lines = Self.text.split(separator: "\n").map { line in
      old.isEmpty ? String(line) : String(line).replacing(old, with: new)
    }
    let text = lines.joined(separator: "\n")
    return try temporaryFiles.file("walk.stint", text)
  }

  private func journal(_ policy: String) throws -> String {
    let path = temporaryFiles.path("journal")
    let request = SimulationRequest(policies: [policy], scenario: try temporaryFiles.walk(), journal: path)
    _ = try SimulationRun(request).run()
    return path
  }

  /// Returns the differences between the decisions of two journals of the same world.
  private func divergences(from old: String, to new: String) throws -> [DecisionDivergence] {
    var stepsByInstant: [Instant: [(isNew: Bool, effects: [Effect], governor: Governor)]] = [:]
    for (isNew, path) in [(false, old), (true, new)] {
      var events = try JournalEventReader(path: path)
      let world = try events.world()
      var governor = Governor(
        vocabulary: try events.vocabulary(of: world), timeZone: world.timeZone, at: events.instant)
      while let event = try events.next() {
        var effects: [Effect] = []
        switch event {
        case .inputs(let inputs): effects = governor.step(inputs, at: events.instant)
        case .policies(let sources):
          let program = try #require(PolicyLoader(vocabulary: governor.vocabulary).load(sources).program)
          effects = try governor.load(program, at: events.instant).effects
        default: continue
        }
        if !effects.isEmpty { stepsByInstant[events.instant, default: []].append((isNew, effects, governor)) }
      }
    }
    var (oldTable, newTable, list) = (DecisionTable(), DecisionTable(), DivergenceList())
    for (instant, steps) in stepsByInstant.sorted(by: { $0.key < $1.key }) {
      for step in steps {
        if step.isNew {
          newTable.apply(step.effects, of: step.governor)
        } else {
          oldTable.apply(step.effects, of: step.governor)
        }
      }
      list.compare(oldTable, newTable, at: instant)
      oldTable.endInstant()
      newTable.endInstant()
    }
    return list.found
  }

  @Test("F4: for the policy of the journal, also with a renamed rule, nothing changes and nothing is unknown")
  func identity() throws {
    let path = try journal(try policy())
    for candidate in [try policy(), try policy("rule still", "rule rest")] {
      let report = try WhatIfReport(journal: path, candidate: candidate)
      #expect(report.result.divergences.isEmpty, "\(report.text())")
      #expect(report.difference == .zero)
      #expect(report.result.newLedger.byDevice == report.result.oldLedger.byDevice)
      #expect(report.result.unknown.isEmpty)
      #expect(!report.isFinding)
      #expect(report.text().contains("No decision changes"))
    }
  }

  @Test(
    "F4: for a changed threshold, the report has exactly the differences between runs with the two policies",
    arguments: [("still for 1 min", "still for 2 min"), ("still for 1 min", "still for 90 s")])
  func threshold(old: String, new: String) throws {
    let (before, after) = (try policy(), try policy(old, new))
    let path = try journal(before)
    let report = try WhatIfReport(journal: path, candidate: after)
    let expected = try divergences(from: path, to: try journal(after))
    #expect(!expected.isEmpty)
    #expect(report.result.divergences == expected)
  }

  @Test("F4: the report contains the period for which the journal has no data because the receiver was off")
  func unknown() throws {
    let path = try journal(try policy())
    let report = try WhatIfReport(
      journal: path, candidate: try policy("{ pause gps }", "{ downgrade accel to 5 Hz }"))
    let period = try #require(report.result.unknown.first { $0.device == "location.gnss" })
    #expect(period.reason == .off)
    // The phone is at rest from 08:04 to 08:07. The policy of the journal pauses the receiver after one
    // minute of rest.
    #expect((period.to - period.from) > .seconds(90))
    #expect((period.to - period.from) < .minutes(3))
    #expect(report.difference.nanojoules > 0)
    #expect(report.text().contains("location.gnss was off for "))
    #expect(report.jsonText.contains("\"reason\":\"was off\""))
  }

  @Test("a changed decision is reported with both decisions, their time and causes, in text and in JSON")
  func rendered() throws {
    let path = try journal(try policy())
    let report = try WhatIfReport(journal: path, candidate: try policy("still for 1 min", "still for 2 min"))
    let change = try #require(
      report.result.divergences.first { $0.subject == "grant trail-app #1 location.gnss" })
    #expect(change.old.decision?.hasPrefix("paused") == true)
    #expect(change.new.decision?.hasPrefix("served") == true)
    #expect(change.old.cause == "walk/hold walk/still")
    #expect(change.until.map { $0 - change.instant } == .minutes(1))
    #expect(report.isFinding)
    #expect(report.text().contains("grant trail-app #1 location.gnss\n    - paused"))
    #expect(report.jsonText.contains("\"subject\":\"grant trail-app #1 location.gnss\""))
  }

  @Test("a candidate with errors is refused before the replay")
  func refused() throws {
    let path = try journal(try policy())
    let broken = try temporaryFiles.file(
      "broken.stint", "policy \"walk\" version 1\nrule x while nonsense.fact { }\n")
    #expect(throws: PolicyRefusal.self) { try WhatIfReport(journal: path, candidate: broken) }
  }
}
