import StintLanguage
import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("F18: the command `tune`", .enabled(if: Tier.current >= .gate))
struct PolicyTuningTests {
  private let temporaryFiles = TemporaryFiles()

  /// Returns a track of this number of seconds to the north, with one point each second.
  private func track(_ metresASecond: Double, seconds: Int = 150) -> String {
    var lines = ["t_s,lat,lon"]
    for second in 0...seconds {
      lines.append("\(second),\(47.05 + Double(second) * metresASecond / 111_195),8.31")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func policy(_ text: String) throws -> String {
    try temporaryFiles.file("slow.stint", "policy \"slow\" version 1\nuse location.gnss as gps\n\(text)\n")
  }

  private static let slow =
    "param pace = 1 per 5 s in 1 per 2 min .. 1 per 1 s\nrule slow always { downgrade gps to pace }"

  private func folder(_ tracks: [String: String]) throws -> String {
    let folder = temporaryFiles.path("tracks")
    try Folder.make(folder)
    for (name, text) in tracks.sorted(by: { $0.key < $1.key }) {
      try FileText.write(Array(text.utf8), to: "\(folder)/\(name)")
    }
    return folder
  }

  private func request(
    _ policy: String, _ traces: String, bound: Double? = 30, trials: Int = 8, threads: Int = 1
  ) -> TuningRequest {
    TuningRequest(
      policy: policy, traces: traces, scenario: "tracker", bound: bound, trials: trials, threads: threads)
  }

  // MARK: Results

  @Test("a policy with more fixes than a walk needs gets a lower rate, which held-out tracks confirm")
  func dominates() throws {
    let tracks = try folder([
      "a.csv": track(1, seconds: 300), "b.csv": track(1.2, seconds: 300), "c.csv": track(0.8, seconds: 300),
      "d.csv": track(0.9, seconds: 300),
    ])
    let tuning = try PolicyTuning(request(try policy(Self.slow), tracks, trials: 12))
    let report = try tuning.run()
    #expect(report.trials <= 12 && report.isWhole && report.refused == 0)
    #expect(report.training.map(TrackSplit.name) == ["a.csv", "c.csv"])
    #expect(report.heldOut.map(TrackSplit.name) == ["b.csv", "d.csv"])
    let written = try #require(report.written)
    #expect(written.values == ["1 per 5 s"])
    let choice = try #require(report.choice)
    #expect(choice.score.isBetter(written.score) && report.frontier.contains(choice))
    #expect(report.isConfirmed(choice) && report.advice == choice)
    #expect(report.text().contains("chosen: better on both"))
    #expect(report.text().contains("better on 2 of 2 tracks"))
    // A run of the policy with the chosen values has the same score as the trial.
    let again = try temporaryFiles.file("again.stint", tuning.text(with: choice.values).text)
    let second = try PolicyTuning(request(again, tracks, trials: 1)).run()
    #expect(second.written?.score == choice.score && second.written?.heldOut == choice.heldOut)
  }

  @Test("equal requests give equal bytes, on one thread and on three")
  func repeatable() throws {
    let tracks = try folder(["a.csv": track(1), "b.csv": track(6), "c.csv": track(2)])
    let path = try policy(
      Self.slow + "\nparam hold = 10 s in 1 s .. 1 min\nrule pack always { batch gps until hold }")
    let first = try PolicyTuning(request(path, tracks)).run()
    let second = try PolicyTuning(request(path, tracks, threads: 3)).run()
    #expect(first == second && first.jsonText == second.jsonText && first.text() == second.text())
    #expect(first.trials > 4)
  }

  @Test("with only one track, no track is held out, and the report states this")
  func single() throws {
    let tracks = try folder(["a.csv": track(1)])
    let report = try PolicyTuning(request(try policy(Self.slow), tracks, trials: 4)).run()
    #expect(report.heldOut.isEmpty && report.text().contains("on 1 track, none held back"))
    #expect(report.choice == report.advice)
    #expect(report.jsonText.contains("\"held_back_quality\":null"))
  }

  @Test("the report of an interrupted search contains only complete trials, and states the interruption")
  func interrupted() throws {
    let tracks = try folder(["a.csv": track(1), "b.csv": track(1)])
    let path = try policy(Self.slow)
    for runs in [0, 1, 2, 4] {
      let asked = Locked(0)
      let report = try PolicyTuning(request(path, tracks)).run(isInterrupted: {
        asked.withLock { count in
          count += 1
          return count > runs
        }
      })
      #expect(!report.isWhole)
      #expect((report.written == nil) == (runs < 2))
      #expect(
        report.frontier.allSatisfy { $0.heldOut == nil || $0 == report.written } && report.trials <= runs)
      #expect(report.text().contains("interrupted"))
      #expect(report.jsonText.contains("\"whole\":false"))
    }
  }

  @Test("in the tuned text, a new value replaces the written value, and nothing else changes")
  func edited() throws {
    let path = try policy("param reach = 40 m in 10 m .. 160 m\nparam wait = 5 s in 1 s .. 1 min\n# 40 m")
    let tuning = try PolicyTuning(request(path, try folder(["a.csv": track(1)])))
    let text = tuning.text(with: ["63 m", "5 s"]).text
    #expect(
      text.hasSuffix("param reach = 63 m in 10 m .. 160 m\nparam wait = 5 s in 1 s .. 1 min\n# 40 m\n"))
  }

  @Test("a parameter set that no device accepts is skipped and counted, and does not end the run")
  func refusedSetting() throws {
    let tracks = try folder(["a.csv": track(1)])
    let path = try policy(
      "param pace = 1 per 5 s in 1 per 2 min .. 1 kHz\nrule slow always { downgrade gps to pace }")
    let report = try PolicyTuning(request(path, tracks, trials: 6)).run()
    #expect(report.refused > 0 && report.trials > 1 && report.trials + report.refused <= 6)
  }

  // MARK: Wrong input

  private func refusal(_ request: TuningRequest) -> String {
    do {
      _ = try PolicyTuning(request).run()
      return ""
    } catch let refusal as PolicyRefusal {
      return refusal.check.text()
    } catch { return "\(error)" }
  }

  @Test("missing parameters, tracks, folders and policies are reported") func refusals() throws {
    let tracks = try folder(["a.csv": track(1)])
    let empty = try folder(["a.txt": "nothing"])
    let tuned = try policy(Self.slow)
    let fixed = try policy("rule slow always { downgrade gps to 1 per 1 min }")
    let point = try policy("param reach = 40 m in 40 m .. 40 m\nrule slow always { downgrade gps to reach }")
    let beyond = try policy("param reach = 40 m in 50 m .. 60 m\nrule slow always { downgrade gps to reach }")
    #expect(refusal(request(fixed, tracks)).contains("this policy has no “param” with a range"))
    #expect(refusal(request(point, tracks)).contains("the range of reach contains only one value"))
    #expect(refusal(request(beyond, tracks)).contains("40 m lies outside 50 m .. 60 m"))
    #expect(refusal(request(tuned, empty)).contains("no track in this folder"))
    #expect(refusal(request(tuned, "/nowhere/at/all")).contains("/nowhere/at/all"))
    #expect(refusal(request("/nowhere/x.stint", tracks)).contains("/nowhere/x.stint"))
  }

  @Test("before the search, an unreadable track is reported, even if it is a held-out track")
  func unreadable() throws {
    let tuned = try policy(Self.slow)
    for name in ["a.csv", "c.csv"] {
      var tracks = ["a.csv": track(1), "b.csv": track(1), "c.csv": track(1)]
      tracks[name] = "t_s,lat,lon\n0,47,8\n1,north,8\n"
      let said = refusal(request(tuned, try folder(tracks)))
      #expect(said.contains("/\(name)") && said.contains("3"), "\(said)")
    }
  }

  @Test("without a client that requests positions, the run is refused with that reason")
  func nothingToJudge() throws {
    var quiet = request(try policy(Self.slow), try folder(["a.csv": track(1)]))
    quiet.scenario = "quiet"
    #expect(refusal(quiet).contains("no client requests positions"))
    quiet.profile = "brick"
    #expect(refusal(quiet).contains("brick"))
  }
}
