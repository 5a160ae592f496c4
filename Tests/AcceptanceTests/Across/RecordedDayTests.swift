import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The decisions of the shipped policies on a recorded day. A change of the program that changes a decision
/// must change these records too, so that a reviewer sees it. `STINT_RECORD=1` records them again.
@Suite("Recorded days of the shipped policies") struct RecordedDayTests {
  private static let policies = ["none"] + ((try? Folder.policies(at: Repository.path("policies"))) ?? [])

  @Test("the decisions, energy and wake-ups on day-hike equal the recorded values", arguments: policies)
  func day(policy: String) throws {
    let files = policy == "none" ? [] : [policy]
    let report = try SimulationRun(SimulationRequest(policies: files, scenario: "day-hike")).run().report
    let text = """
      decisions \(report.decisions)
      log sha256 \(report.decisionLogHash)
      energy    \(report.ledger.total.nanojoules) nJ
      wake-ups  \(report.wakeups.total)

      """
    let name = policy.split(separator: "/").last.map { $0.split(separator: ".")[0] } ?? "none"
    let path = Repository.path("Tests/Snapshots/Days/\(name).txt")
    if getenv("STINT_RECORD") != nil { try FileText.write(Array(text.utf8), to: path) }
    #expect(text == String(decoding: try FileText.read(path), as: UTF8.self))
  }
}
