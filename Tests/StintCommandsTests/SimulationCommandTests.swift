import StintModel
import StintTools
import StintUnits
import Testing

@testable import StintCommands

@Suite("sim and compare")
struct SimulationCommandTests {
  /// Answers every request with an empty report and records the requests.
  final class Engine: Sendable {
    private let kept = Locked<[SimulationRequest]>([])
    var requests: [SimulationRequest] { kept.withLock { $0 } }

    func simulate(_ request: SimulationRequest) -> SimulationReport {
      kept.withLock { $0.append(request) }
      return SimulationReport(
        policies: request.policies, scenario: request.scenario, trace: request.trace, seed: request.seed,
        profile: "reference", duration: .hours(1), ledger: Ledger(), decisionLogHash: "00")
    }
  }

  private func run(_ words: String...) -> (
    ExitCode, requests: [SimulationRequest], results: String, log: String
  ) {
    let engine = Engine()
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [
      SimCommand.definition { request in { _ in engine.simulate(request) } },
      CompareCommand.definition { request in { _ in engine.simulate(request) } },
    ])
    let code = Commands.run(arguments: words, table: table, console: recorded.console)
    return (code, engine.requests, recorded.results, recorded.log)
  }

  @Test("sim makes one run, and passes all its options to this run")
  func sim() {
    let answer = run(
      "sim", "a.stint", "b.stint", "--scenario", "commute", "--trace=x.csv", "--motion", "m.csv",
      "--seed", "18446744073709551615",
      "--threads=2", "--journal", "j", "--plan", "p", "--profile", "pixel5+umts2012", "--json")
    #expect(answer.0 == .fine)
    #expect(
      answer.requests == [
        SimulationRequest(
          policies: ["a.stint", "b.stint"], scenario: "commute", trace: "x.csv", motion: "m.csv", seed: .max,
          threads: 2,
          journal: "j",
          plan: "p", profile: "pixel5+umts2012")
      ])
    #expect(
      answer.results.hasPrefix(
        "{\"stint_sim\":1,\"policies\":[\"a.stint\",\"b.stint\"],\"scenario\":\"commute\""))
    #expect(answer.results.hasSuffix("}\n"))
  }

  @Test("the defaults are day-hike, seed 1 and one thread; the word `none` means no policy")
  func defaults() {
    #expect(run("sim", "none").requests == [SimulationRequest(policies: [], scenario: "day-hike")])
  }

  @Test("an unwritable report page is rejected before any run, and a run without a page records no timeline")
  func report() {
    for path in ["/no-such-folder/out.html", "/tmp"] {
      let answer = run("sim", "none", "--report", path)
      #expect(answer.0 == .misuse && answer.requests.isEmpty && answer.log.contains(path))
      #expect(run("compare", "none", "a.stint", "--report", path).requests.isEmpty)
    }
    let output = run("sim", "none", "--report", "-")
    #expect(output.0 == .misuse && output.requests.isEmpty && output.log.contains("standard output"))
    #expect(run("sim", "none").requests.allSatisfy { !$0.wantsTimeline })
  }

  @Test(
    "compare runs both policies with one scenario and seed; only the second run writes a journal and a plan"
  )
  func compare() {
    let answer = run("compare", "none", "a.stint", "--seed=5", "--journal=j", "--plan=p")
    #expect(answer.0 == .fine)
    #expect(
      answer.requests == [
        SimulationRequest(policies: [], scenario: "day-hike", seed: 5),
        SimulationRequest(policies: ["a.stint"], scenario: "day-hike", seed: 5, journal: "j", plan: "p"),
      ])
    #expect(answer.results.contains("Energy by device"))
    #expect(run("compare", "none", "a.stint", "--json").results.hasPrefix("{\"stint_compare\":1,\"runs\":[{"))
  }

  @Test(
    "an invalid command line is rejected before a run begins",
    arguments: [
      ["sim"], ["sim", "a", "--seed=-1"], ["sim", "a", "--threads=0"], ["sim", "a", "--threads", "many"],
      ["compare", "a"], ["compare", "a", "b", "c"], ["compare", "a", "b", "--trace=-"],
      ["compare", "a", "b", "--motion=-"], ["sim", "a", "--trace=-", "--motion=-"],
      ["sim", "a", "--site=s.json", "--profile=pixel5"],
    ])
  func misuse(words: [String]) {
    let engine = Engine()
    let recorded = RecordedConsole()
    let table = CommandTable(definitions: [
      SimCommand.definition { request in { _ in engine.simulate(request) } },
      CompareCommand.definition { request in { _ in engine.simulate(request) } },
    ])
    #expect(Commands.run(arguments: words, table: table, console: recorded.console) == .misuse)
    #expect(engine.requests.isEmpty)
    #expect(recorded.results.isEmpty && !recorded.log.isEmpty)
  }

  @Test("sim prints errors of policies in the same words as check")
  func refused() throws {
    let recorded = RecordedConsole()
    let check = PolicyCheck([], vocabulary: Vocabulary(manifests: []))
    let table = CommandTable(definitions: [
      SimCommand.definition { _ in throw PolicyRefusal(check: check) }
    ])
    #expect(Commands.run(arguments: ["sim", "a"], table: table, console: recorded.console) == .findings)
    #expect(recorded.log == check.text() + "\n")
  }
}
