import StintLanguage
import StintModel
import StintRuntime
import StintUnits
import Testing

@testable import StintTools

@Suite("tune")
struct PolicyTuningTests {
  private let workshop = Workshop()

  /// A minute of walking north, one point each second.
  private func track(_ metresASecond: Double, seconds: Int = 120) -> String {
    var lines = ["t_s,lat,lon"]
    for second in 0...seconds {
      lines.append("\(second),\(47.05 + Double(second) * metresASecond / 111_195),8.31")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func policy(_ text: String) throws -> String {
    try workshop.file(
      "slow.stint",
      """
      policy "slow" version 1
      use location.gnss as gps
      \(text)
      """)
  }

  private var slow: String {
    "param pause_of = 60 s in 1 s .. 5 min\nrule slow always { downgrade gps to pause_of }"
  }

  private func scenario() throws -> String {
    try workshop.file(
      "tracker.json",
      """
      {"stint_scenario": 1, "name": "tracker", "start": "2026-05-16T08:00:00Z", "duration": "1 h",
       "devices": ["host.processor", "location.gnss"], "world": {"origin": [47.05, 8.31]},
       "clients": [{"name": "app", "demands": [{"target": "location.gnss", "with": {"accuracy": "20 m"}}]}]}
      """)
  }

  private func folder(_ tracks: [String: String]) throws -> String {
    let folder = workshop.path("tracks")
    try Folder.make(folder)
    for (name, text) in tracks.sorted(by: { $0.key < $1.key }) {
      try FileText.write(Array(text.utf8), to: "\(folder)/\(name)")
    }
    return folder
  }

  private func parameters(_ text: String) -> [TunedParameter] {
    let source = SourceText(file: "a.stint", bytes: Array("policy \"a\" version 1\n\(text)".utf8))
    return Parser.parse(source).file.items.compactMap { item in
      if case .parameter(let parameter) = item { TunedParameter(parameter) } else { nil }
    }
  }

  @Test(
    "choices stay inside the range, reach its ends, and are spaced by ratio",
    arguments: [
      ("param a = 40 m in 10 m .. 160 m", ["10 m", "16 m", "25 m", "40 m", "63 m", "100 m", "160 m"]),
      ("param a = 0 s in 0 s .. 60 s", ["0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "1 min"]),
      ("param a = 20 % in 15 % .. 25 %", ["15 %", "16 %", "18 %", "19 %", "21 %", "23 %", "25 %"]),
    ])
  func choices(text: String, expected: [String]) {
    #expect(parameters(text).first?.choices.map(\.description) == expected)
  }

  @Test("a value takes the place of the one that is written, and nothing else changes") func edited() throws {
    let path = try policy("param reach = 40 m in 10 m .. 160 m\nparam wait = 5 s in 1 s .. 1 min\n# 40 m")
    let tracks = try folder(["a.csv": track(1)])
    let tuning = try PolicyTuning(TuningRequest(policy: path, traces: tracks, scenario: "quiet"))
    let text = try tuning.text(with: [Quantity(63, .length), Quantity(5, .time)])
    #expect(
      String(decoding: text.bytes, as: UTF8.self).hasSuffix(
        "param reach = 63 m in 10 m .. 160 m\nparam wait = 5 s in 1 s .. 1 min\n# 40 m"))
  }

  @Test("a frontier holds what nothing beats, once, by energy") func frontier() {
    func trial(_ value: Double, _ joules: Double, _ quality: Double) -> TuningTrial {
      TuningTrial(
        values: [Quantity(value, .length)],
        score: .init(energy: Energy(nanojoules: Int64(joules * 1e9)), quality: quality))
    }
    let trials = [trial(1, 10, 0.9), trial(2, 5, 0.8), trial(3, 6, 0.8), trial(4, 5, 0.8), trial(5, 20, 0.9)]
    #expect(
      PolicyTuning.frontier(of: trials).map(\.values) == [[Quantity(2, .length)], [Quantity(1, .length)]])
  }

  @Test("nothing to move, no tracks, no folder: each is said") func refusals() throws {
    let tracks = try folder(["a.csv": track(1)])
    let empty = try folder(["a.txt": "nothing"])
    let fixed = try policy("rule slow always { downgrade gps to 1 per 1 min }")
    let tuned = try policy(slow)
    func refusal(_ policy: String, _ traces: String) -> String {
      do throws(ToolError) {
        _ = try PolicyTuning(TuningRequest(policy: policy, traces: traces, scenario: "quiet"))
        return ""
      } catch { return error.description }
    }
    #expect(refusal(fixed, tracks).contains("no “param” with a range is in this policy"))
    #expect(refusal(tuned, empty).contains("no track is in this folder"))
    #expect(refusal(tuned, "/nowhere/at/all").contains("/nowhere/at/all"))
    #expect(refusal("/nowhere/x.stint", tracks).contains("/nowhere/x.stint"))
  }
}
