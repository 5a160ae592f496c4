import StintDaemon
import StintFormats
import StintModel
import StintUnits
import Testing

@testable import StintTools

@Suite("Reports")
struct SimulationReportTests {
  @Test("the object of stint sim --json has the documented members in order")
  func documentedMembers() {
    let json = SampleReports.with.json
    #expect(
      json.members?.map(\.name).prefix(12)
        == [
          "policies", "scenario", "trace", "seed", "profile", "duration_ns", "energy_nJ", "deliveries",
          "accuracy", "wakeups", "decisions", "decision_log_sha256",
        ])
    #expect(json["duration_ns"]?.integer == 36_000_000_000_000)
    #expect(json["trace"]?.content == .null)
    #expect(json["energy_nJ"]?["total"]?.integer == 660_250_000_000)
    #expect(json["energy_nJ"]?["by_device"]?["location.gnss"]?.integer == 600_250_000_000)
    #expect(json["energy_nJ"]?["by_rule"]?["hiking/hold"]?.integer == 300_125_000_000)
    #expect(json["deliveries"]?["trail-app"]?["worst_gap_ns"]?.integer == 300_000_000_000)
    #expect(json["accuracy"]?["location.gnss"]?["within_bound"]?.number == 0.972)
    #expect(json["wakeups"]?["by_device"]?["radio.cellular"]?.integer == 60)
    #expect(json["rules"]?["hiking/saver"]?["activations"]?.integer == 0)
  }

  @Test("in the JSON, the energies of devices, clients and rules each add up to the total")
  func sums() {
    let energy = SampleReports.with.json["energy_nJ"]
    for account in ["by_device", "by_client", "by_rule"] {
      let sum = energy?[account]?.members?.compactMap(\.value.integer).reduce(0, +)
      #expect(sum == energy?["total"]?.integer, "\(account)")
    }
  }

  @Test("the JSON of a report is deterministic, and the rules in `by_rule` are sorted")
  func sameBytes() {
    let first = JSONWriter.text(of: SampleReports.with.json)
    #expect(first == JSONWriter.text(of: SampleReports.with.json))
    let rules = SampleReports.with.json["energy_nJ"]?["by_rule"]?.members?.map(\.name)
    #expect(rules == ["floor", "hiking/hold", "hiking/saver"])
  }

  @Test(
    "the title of a run comes from its policies",
    arguments: [
      ([], "none"), (["policies/hiking.stint"], "hiking"), (["a.stint", "b/c.txt"], "a + c.txt"),
    ] as [([String], String)])
  func titles(policies: [String], title: String) {
    var report = SampleReports.without
    report.policies = policies
    #expect(report.title == title)
  }

  @Test("the text of one run has all tables")
  func text() {
    #expect(
      SampleReports.with.text() == """
        hiking on day-hike   10 h, seed 7, reference

        Energy by device                      J     part
          location.gnss                   600.3   90.9 %   ██████████████████▏
          radio.cellular                   60.0    9.1 %   █▉
          total                           660.3

        Energy by client                      J     part
          trail-app                       600.3   90.9 %   ██████████████████▏
          system                           60.0    9.1 %   █▉
          total                           660.3

        Energy by rule (or other cause)       J     part
          hiking/hold                     300.1   45.5 %   █████████▏
          hiking/saver                    300.1   45.5 %   █████████▏
          floor                            60.0    9.1 %   █▉
          total                           660.3

        Rules in force   times   in force   of the time
          hiking/hold        3        4 h        40.0 %
          hiking/saver       0        0 s         0.0 %

        Service
          trail-app, samples                      24 310
          trail-app, batches                         120
          trail-app, worst gap                     5 min
          fixes delivered                         24 310
          location.gnss, error median              3.1 m
          location.gnss, error 95 %                9.1 m
          location.gnss, requested accuracy met   97.2 %
          transfers carried                           60
          transfers late                               0
          longest wait                            30 min
          wake-ups                                   812
            for location.gnss                        752
            for radio.cellular                        60
          decisions                                   42
          log sha256 00ff
        """)
  }

  @Test("the text of a comparison has both runs side by side")
  func comparison() {
    let comparison = RunComparison([SampleReports.without, SampleReports.with])
    #expect(comparison.json["runs"]?.items?.count == 2)
    #expect(
      comparison.text() == """
        day-hike   10 h, seed 7, reference

        Energy by device, J                     none   hiking     change
          location.gnss                      2 160.0    600.3    -72.2 %
          radio.cellular                       470.0     60.0    -87.2 %
          total                              2 630.0    660.3    -74.9 %

        Energy by rule (or other cause), J      none   hiking     change
          as asked                           2 160.0        –   -100.0 %
          floor                                470.0     60.0    -87.2 %
          hiking/hold                              –    300.1        new
          hiking/saver                             –    300.1        new
          total                              2 630.0    660.3    -74.9 %

        Service                                 none   hiking
          fixes delivered                     36 000   24 310
          error median                         3.0 m    3.1 m
          error 95 %                           9.1 m    9.1 m
          requested accuracy met, moving      99.1 %   97.2 %
          worst gap                            5 min    5 min
          transfers carried                       60       60
          transfers late                           0        0
          wake-ups                            36 060      812
          decisions                               42       42

        hiking saves 74.9 %, 1 969.8 J   ██████████████████████████████░░░░░░░░░░
        """)
  }

  @Test("colours do not change the text")
  func colours() {
    let comparison = RunComparison([SampleReports.without, SampleReports.with])
    let coloured = comparison.text(.colours)
    #expect(coloured.contains("\u{1B}["))
    #expect(Self.bare(coloured) == comparison.text())
    #expect(Self.bare(SampleReports.with.text(.colours)) == SampleReports.with.text())
  }

  @Test("the comparison reports when the last run uses more energy than the first run")
  func spendsMore() {
    let comparison = RunComparison([SampleReports.with, SampleReports.without])
    #expect(comparison.text().contains("the run without policies spends 1 969.8 J more than hiking, 298.3 %"))
    #expect(comparison.saving(of: SampleReports.without) < 0)
    #expect(
      RunComparison([SampleReports.with, SampleReports.with]).text().hasSuffix(
        "hiking spends as much as hiking"))
  }

  @Test("in a comparison with a run that uses no energy, the saving is 0 and no number is “nan”")
  func nothingSpent() {
    var empty = SampleReports.without
    empty.ledger = Ledger()
    #expect(RunComparison([empty, empty]).saving(of: empty) == 0)
    #expect(!RunComparison([empty, SampleReports.with]).text().contains("nan"))
  }

  @Test("text and JSON of a run show for how much of the time a requirement was evaluated")
  func requirements() {
    var report = SampleReports.with
    report.requirements = [
      RuleID(policy: "hiking", rule: "require-1"): RequirementActivity(
        violations: 2, watched: .hours(10), evaluated: .minutes(90))
    ]
    let activity = report.json["requirements"]?["hiking/require-1"]
    #expect(activity?["violations"]?.integer == 2)
    #expect(activity?["watched_ns"]?.integer == 36_000_000_000_000)
    #expect(activity?["evaluated_ns"]?.integer == 5_400_000_000_000)
    let line = report.text().split(separator: "\n").first { $0.contains("hiking/require-1") }
    #expect(line?.contains("1 h 30 min") == true && line?.contains("15.0 %") == true, "\(report.text())")
  }

  private static func bare(_ text: String) -> String {
    text.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { place, part in
      place == 0 ? String(part) : String(part.drop { $0 != "m" }.dropFirst())
    }.joined()
  }
}
