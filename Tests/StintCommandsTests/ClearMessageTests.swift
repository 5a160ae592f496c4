import StintLanguage
import StintRuntime
import StintTools
import Testing

@testable import StintCommands

@Suite("Messages about inputs")
struct ClearMessageTests {
  private static let policy = """
    policy "v" version 1
    use location.gnss as gps
    rule saver while battery.level < 20% { pause gps }

    """
  private let folder = TestFolder()

  private func run(_ words: [String]) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: words, table: .standard, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  @Test("the error for an unknown scenario proposes the most similar name; a folder is reported as a folder")
  func scenario() throws {
    let answer = run(["sim", "none", "--scenario", "day_hike"])
    #expect(answer.code == .misuse && answer.log.contains("day_hike: there is no built-in scenario"))
    #expect(answer.log.contains("did you mean day-hike?"))
    try Folder.make(folder.at("days"))
    #expect(run(["sim", "none", "--scenario", folder.at("days")]).log.contains("folder"))
  }

  @Test("the error for a missing policy proposes an existing file or the word `none`")
  func policyName() throws {
    try folder.write("v.stint", Self.policy)
    #expect(run(["check", folder.at("v")]).log.contains("did you mean \(folder.at("v.stint"))?"))
    #expect(run(["check", folder.at("w.stint")]).log.contains("did you mean \(folder.at("v.stint"))?"))
    #expect(run(["sim", "None"]).log.contains("write `none` in lower case"))
    let empty = run(["check", ""])
    #expect(empty.code == .misuse && empty.log.contains("the path of a policy is empty"))
  }

  @Test("`compare` with the same policy twice reports that the two policies are equal")
  func same() throws {
    let answer = run(["compare", "none", "none", "--scenario", "quiet"])
    #expect(answer.code == .fine && answer.log.contains("A and B are the same policies"))
  }

  @Test("the error for a track without points contains its path")
  func emptyTrack() throws {
    try folder.write("e.csv", "t_s,lat,lon\n")
    let answer = run(["sim", "none", "--trace", folder.at("e.csv")])
    #expect(answer.code == .findings && answer.log.contains(folder.at("e.csv")), "\(answer.log)")
  }

  @Test("a policy above the size limit is not described as empty")
  func large() throws {
    let text = Self.policy + String(repeating: "# a comment that fills the file\n", count: 1 << 18)
    try folder.write("big.stint", text)
    let answer = run(["check", folder.at("big.stint")])
    #expect(answer.code == .findings && answer.results.contains("P0107"))
    #expect(!answer.results.contains("empty"))
  }

  @Test("`why-not` with the name of a policy lists the rules and the devices; an unknown device is an error")
  func whyNot() throws {
    try folder.write("v.stint", Self.policy)
    let words = ["sim", folder.at("v.stint"), "--scenario", "quiet", "--journal", folder.at("j")]
    #expect(run(words).code == .fine)
    let policy = run(["why-not", "v", "--journal", folder.at("j")])
    #expect(policy.code == .misuse)
    #expect(policy.log.contains("v: this is a policy; expected a device or a rule"), "\(policy.log)")
    #expect(policy.log.contains("v/saver") && policy.log.contains("location.gnss"))
    #expect(run(["why-not", "gsp", "--journal", folder.at("j")]).log.contains("there is no such device"))
  }

  @Test(
    "the remedy for a missing socket contains the command that was used",
    .enabled(if: ControlClient.defaultPath == nil, "STINT_CONTROL is set"))
  func socket() {
    #expect(run(["status"]).log.contains("stint status --control"))
    #expect(run(["request", "fix"]).log.contains("stint request --control"))
  }
}
