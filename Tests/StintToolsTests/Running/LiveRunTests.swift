import StintDaemon
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite struct LiveRunTests {
  @Test("an edit between the first read of a policy and the start of the run comes into force at the start")
  func editedMeanwhile() throws {
    let temporaryFiles = TemporaryFiles()
    let policy = try temporaryFiles.policy()
    let logged = Locked<[String]>([])
    var daemon = DaemonOptions(policies: policy)
    daemon.speed = 1_000_000
    daemon.ownsProcess = false
    let request = LiveRequest(daemon, devices: .simulated(scenario: try temporaryFiles.walk()))
    let run = try LiveRun(
      request,
      output: LiveRun.RunOutput(decision: { _ in }, log: { line in logged.withLock { $0.append(line) } }))
    let text = String(decoding: try FileText.read(policy), as: UTF8.self)
    try FileText.write(Array(text.replacing("version 1", with: "version 2").utf8), to: policy)
    let report = try run.run()
    let lines = logged.withLock { $0 }
    #expect(lines.contains { $0.contains("reloaded walk version 2") }, "\(lines)")
    #expect(report.reloads.count == 1)
  }

  @Test(
    "each start of the same command has its own journal, and each journal can be replayed")
  func startedAgain() throws {
    let temporaryFiles = TemporaryFiles()
    let journal = temporaryFiles.path("journal")
    var daemon = DaemonOptions(policies: try temporaryFiles.policy())
    daemon.speed = 1_000_000
    daemon.journal = journal
    daemon.ownsProcess = false
    let request = LiveRequest(daemon, devices: .simulated(scenario: try temporaryFiles.walk()))
    let voice = LiveRun.RunOutput(decision: { _ in }, log: { _ in })
    for _ in 1...3 { _ = try LiveRun(request, output: voice).run() }
    let journals = try ReplayReport.journals(at: journal)
    #expect(journals.count == 3)
    for path in journals { #expect(try ReplayReport(journal: path).decisions > 3) }
    let report = try WhyQuery.report("location.gnss", at: "08:03", journal: journal)
    #expect(!report.text.isEmpty)
  }

  @Test("a second run with the state, journal or socket of the first run is refused; the first run continues")
  func secondRun() throws {
    let temporaryFiles = TemporaryFiles()
    let policy = try temporaryFiles.policy()
    let scenario = try temporaryFiles.walk()
    let paths = [temporaryFiles.path("state"), temporaryFiles.path("journal"), temporaryFiles.path("socket")]
    let voice = LiveRun.RunOutput(decision: { _ in }, log: { _ in })
    func request(_ used: [Bool]) -> LiveRequest {
      var daemon = DaemonOptions(policies: policy)
      daemon.speed = 1_000_000
      daemon.journal = used[1] ? paths[1] : nil
      daemon.state = used[0] ? paths[0] : nil
      daemon.control = used[2] ? paths[2] : nil
      daemon.ownsProcess = false
      let request = LiveRequest(daemon, devices: .simulated(scenario: scenario))
      return request
    }
    let first = try LiveRun(request([true, true, true]), output: voice)
    for place in 0..<3 {
      var used = [false, false, false]
      used[place] = true
      let error = #expect(throws: Problem.self) { try LiveRun(request(used), output: voice) }
      #expect(error?.place.name == paths[place])
      #expect(error?.cause.contains("another daemon or bus is using it") == true)
    }
    #expect(try first.run().reloads.isEmpty)
  }

  @Test("a clock step applies between two events, is logged, and replays to the same decisions")
  func clockStep() throws {
    let temporaryFiles = TemporaryFiles()
    let logged = Locked<[String]>([])
    let journal = temporaryFiles.path("journal")
    var daemon = DaemonOptions(policies: try temporaryFiles.policy())
    daemon.speed = 1_000_000
    daemon.journal = journal
    daemon.ownsProcess = false
    daemon.clockOffset = try temporaryFiles.file("offset", "7200.5\n")
    let request = LiveRequest(daemon, devices: .simulated(scenario: try temporaryFiles.walk()))
    let run = try LiveRun(
      request,
      output: LiveRun.RunOutput(decision: { _ in }, log: { line in logged.withLock { $0.append(line) } }))
    _ = try run.run()
    #expect(
      logged.withLock { $0 }.contains { $0.hasPrefix("10:00:00") && $0.contains("set forward by 2 h 1 s") })
    let path = try #require(try ReplayReport.journals(at: journal).first)
    #expect(try ReplayReport(journal: path).decisions > 3)
    let text = try WhyQuery.report("location.gnss", at: "10:03", journal: journal).text
    #expect(text == (try WhyQuery.report("location.gnss", at: "2026-05-16T10:03", journal: journal).text))
    for absent in ["08:03", "2026-05-17T10:03", "2026-05-15T10:03", "12:00"] {
      let error = #expect(throws: Problem.self) {
        try WhyQuery.report("location.gnss", at: absent, journal: journal)
      }
      #expect(error?.cause == "this time is outside the period of the journal", "\(absent)")
      #expect(error?.remedy.contains("to 2026-05-16 10:09:00") == true)
    }
  }

  @Test("when no rule can have an effect, a run warns and names the missing device")
  func misfit() throws {
    let temporaryFiles = TemporaryFiles()
    let policy = try temporaryFiles.file(
      "other.stint",
      """
      policy "other" version 1
      use location.lidar as lidar
      rule low while battery.level < 20 % { stop lidar }

      """)
    var daemon = DaemonOptions(policies: policy)
    daemon.speed = 1_000_000
    daemon.ownsProcess = false
    let logged = Locked<[String]>([])
    let run = try LiveRun(
      LiveRequest(daemon, devices: .simulated(scenario: try temporaryFiles.walk())),
      output: LiveRun.RunOutput(decision: { _ in }, log: { line in logged.withLock { $0.append(line) } }))
    _ = try run.run()
    let warning =
      "warning: no rule can have an effect; no device is called “location.lidar”; the devices are "
    #expect(logged.withLock { $0 }.contains { $0.contains(warning) })
  }

  @Test("the final report gives the times of refusals since the start of the run")
  func refusalTimes() {
    let recorder = RunRecorder(world: nil, start: .epoch, meter: EnergyMeter(), wantsPlan: false)
    let start = Instant.epoch + .hours(24 * 20_000)
    recorder.refused("no permission", at: start + .seconds(90))
    #expect(recorder.refusals(from: start) == ["1 min 30 s: no permission"])
  }

  @Test("policies without an edit are loaded once")
  func unedited() throws {
    let temporaryFiles = TemporaryFiles()
    var daemon = DaemonOptions(policies: try temporaryFiles.policy())
    daemon.speed = 1_000_000
    daemon.ownsProcess = false
    let request = LiveRequest(daemon, devices: .simulated(scenario: try temporaryFiles.walk()))
    let run = try LiveRun(
      request,
      output: LiveRun.RunOutput(decision: { _ in }, log: { _ in }))
    #expect(try run.run().reloads.isEmpty)
  }
}
