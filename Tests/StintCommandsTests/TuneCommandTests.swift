import StintRuntime
import StintTestSupport
import StintTools
import Testing

@testable import StintCommands

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("stint tune")
struct TuneCommandTests {
  private func run(_ words: [String]) -> (code: ExitCode, results: String, log: String) {
    let recorded = RecordedConsole()
    let code = Commands.run(arguments: ["tune"] + words, table: .standard, console: recorded.console)
    return (code, recorded.results, recorded.log)
  }

  private static let files = ["slow.stint", "tuned.stint", "tracks/a.csv", "tracks/b.csv"]

  /// Calls the body with a folder that contains a policy and two tracks, and then removes the folder.
  private func withFolder(pace: String = "1 per 2 s", _ body: (String) throws -> Void) throws {
    var template = Array("/tmp/stint-tune-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      for name in Self.files { unlink("\(folder)/\(name)") }
      rmdir(folder + "/tracks")
      rmdir(folder)
    }
    try Folder.make(folder + "/tracks")
    let policy = """
      policy "slow" version 1
      use location.gnss as gps
      param pace = \(pace) in 1 per 2 min .. 1 Hz
      rule slow always { downgrade gps to pace }

      """
    try FileText.write(Array(policy.utf8), to: folder + "/slow.stint")
    for (name, speed) in [("a", 1.0), ("b", 1.0)] {
      let rows = (0...240).map { "\($0),\(47.05 + Double($0) * speed / 111_195),8.31\n" }
      try FileText.write(Array(("t_s,lat,lon\n" + rows.joined()).utf8), to: "\(folder)/tracks/\(name).csv")
    }
    try body(folder)
  }

  @Test(
    "tune writes the policy with the chosen values, and can tune the written policy again",
    .enabled(if: Tier.current >= .gate, "only the gate and long tiers run a full search"))
  func writes() throws {
    try withFolder { folder in
      let words = [
        "--traces", folder + "/tracks", "--scenario", "tracker", "--bound", "40m", "--trials", "10",
      ]
      let answer = run([folder + "/slow.stint"] + words + ["--write", folder + "/tuned.stint"])
      #expect(answer.code == .fine, "\(answer.results)\(answer.log)")
      #expect(answer.results.contains("as written") && answer.results.contains("chosen: better on both"))
      #expect(answer.log == "\(folder)/tuned.stint is written\n")
      let text = String(decoding: try FileText.read(folder + "/tuned.stint"), as: UTF8.self)
      #expect(text.contains("in 1 per 2 min .. 1 Hz\nrule slow") && !text.contains("pace = 1 per 2 s in"))
      #expect(
        run([folder + "/tuned.stint"] + words + ["--json"]).results.hasPrefix("{\"stint_tune\":1,\"policy\":")
      )
    }
  }

  @Test("without an improvement no file is written, and the exit code reports a finding")
  func nothing() throws {
    try withFolder { folder in
      let answer = run([
        folder + "/slow.stint", "--traces", folder + "/tracks", "--scenario", "tracker", "--trials", "1",
        "--write",
        folder + "/tuned.stint",
      ])
      #expect(answer.code == .findings)
      #expect(answer.log.contains("tuned.stint is not written: no values beat the current policy"))
      #expect(Folder.entry(at: folder + "/tuned.stint") == .nothing)
    }
  }

  @Test(
    "an invalid command line is rejected with a hint",
    arguments: [
      ([], "name the folder of recorded tracks with --traces DIR"),
      (["--traces", "t", "--bound", "5s"], "expected a distance"),
      (["--traces", "t", "--bound", "-5m"], "expected a distance"),
      (["--traces", "t", "--hold-back", "1"], "leaves no track for tuning"),
      (["--traces", "t", "--trials", "0"], "--trials"), (["--traces", "t", "--threads", "0"], "--threads"),
    ])
  func misuse(words: [String], said: String) {
    let answer = run(["a.stint"] + words)
    #expect(answer.code == .misuse && answer.results.isEmpty)
    #expect(answer.log.contains(said), "\(answer.log)")
  }

  @Test("errors for an unmatched pattern, an unknown profile or scenario contain the written value")
  func wrongNames() throws {
    try withFolder { folder in
      for (option, value) in [("--hold-back", "z*"), ("--profile", "brick"), ("--scenario", "nowhere")] {
        let answer = run([folder + "/slow.stint", "--traces", folder + "/tracks", option, value])
        #expect(answer.code != .fine && answer.log.contains(value), "\(answer.log)")
      }
    }
  }

  #if os(Linux) && canImport(Glibc)
    @Test("Ctrl-C during the search prints the best result so far and exits with 130")
    func interrupted() throws {
      let program = try #require(Child.program, "the program is built beside the tests")
      try withFolder { folder in
        var child = try Child(
          [
            "/usr/bin/env", "TERM=xterm", program, "tune", folder + "/slow.stint", "--traces",
            folder + "/tracks", "--scenario", "tracker", "--trials", "100000",
          ], hasTerminal: true)
        // The progress line counts settings only after the run with the written values.
        let isSearching = child.readUntil("of at most 100000 settings")
        #expect(isSearching)
        child.forget()
        child.signal(SIGINT)
        let hasTold = child.readUntil(", interrupted") && child.readUntil("as written")
        #expect(hasTold)
        #expect(child.exitCode() == 130)
      }
    }
  #endif
}
