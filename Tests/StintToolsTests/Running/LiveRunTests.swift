import StintModel
import StintRuntime
import StintTestSupport
import Testing

@testable import StintTools

@Suite struct LiveRunTests {
  @Test("an edit between the first reading and the watch is put in force at the start")
  func editedMeanwhile() throws {
    let workshop = Workshop()
    let policy = try workshop.policy()
    let said = Locked<[String]>([])
    var request = LiveRequest(
      policies: policy, devices: .simulated(scenario: try workshop.walk()), speed: 1_000_000)
    request.hearsSignals = false
    let run = try LiveRun(
      request,
      voice: LiveRun.Voice(decision: { _ in }, talk: { line in said.withLock { $0.append(line) } }))
    let text = String(decoding: try FileText.read(policy), as: UTF8.self)
    try FileText.write(Array(text.replacing("version 1", with: "version 2").utf8), to: policy)
    let report = try run.run()
    let lines = said.withLock { $0 }
    #expect(lines.contains { $0.contains("reloaded walk version 2") }, "\(lines)")
    #expect(report.reloads.count == 1)
  }

  @Test("what was not edited is put in force once")
  func unedited() throws {
    let workshop = Workshop()
    var request = LiveRequest(
      policies: try workshop.policy(), devices: .simulated(scenario: try workshop.walk()), speed: 1_000_000)
    request.hearsSignals = false
    let run = try LiveRun(
      request,
      voice: LiveRun.Voice(decision: { _ in }, talk: { _ in }))
    #expect(try run.run().reloads.isEmpty)
  }
}
