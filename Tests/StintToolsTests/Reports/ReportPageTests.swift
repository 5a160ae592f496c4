import StintFormats
import StintModel
import StintRuntime
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite("Report pages")
struct ReportPageTests {
  private let temporaryFiles = TemporaryFiles()

  private func run(_ policies: [String], threads: Int = 1) throws -> SimulationReport {
    try SimulationRun(
      SimulationRequest(
        policies: policies, scenario: try temporaryFiles.walk(), threads: threads, wantsTimeline: true)
    ).run().report
  }

  @Test(
    "the energy of the lanes equals the energy in the ledger, and each period with a device on has a cause")
  func energy() throws {
    for policies in [[], [try temporaryFiles.policy()]] {
      let report = try run(policies)
      let timeline = try #require(report.timeline)
      for lane in timeline.devices { #expect(lane.energy == report.ledger.byDevice[lane.device] ?? .zero) }
      #expect(timeline.accounts.reduce(.zero) { $0 + $1.energy } == report.ledger.total)
      #expect(timeline.curve.last?.spent == report.ledger.total)
      for lane in timeline.devices {
        for span in lane.spans.spans where lane.states[span.kind].isOn {
          #expect(!timeline.causes.chains[span.cause].links.isEmpty)
        }
      }
      let wakes = timeline.devices.flatMap { $0.wakes.spans }.reduce(0) { $0 + $1.count }
      #expect(wakes == report.wakeups.byDevice.values.reduce(0, +))
      #expect(!timeline.fixes.isEmpty && timeline.fixes.allSatisfy { $0.error != nil })
    }
  }

  @Test("the spans in the lane of a rule add up to the rule's time in force")
  func rules() throws {
    let report = try run([try temporaryFiles.policy()])
    let timeline = try #require(report.timeline)
    #expect(timeline.rules.map(\.rule) == report.rules.keys.sorted())
    for lane in timeline.rules {
      #expect(lane.log.spans.reduce(.zero) { $0 + $1.length } == report.rules[lane.rule]?.inForce ?? .zero)
    }
  }

  @Test("a period in which a rule pauses a device has this rule among its causes")
  func paused() throws {
    let timeline = try #require(try run([try temporaryFiles.policy()]).timeline)
    let gnss = try #require(timeline.devices.first { $0.device == "location.gnss" })
    let causes = gnss.spans.spans.map { timeline.causes.chains[$0.cause] }
    #expect(causes.contains { $0.links.contains { $0.rules.contains("walk/still") && $0.grant == "paused" } })
  }

  @Test("equal runs have equal pages on any number of threads, and recording a timeline changes no decision")
  func deterministic() throws {
    let policy = try temporaryFiles.policy()
    let scenario = try temporaryFiles.walk()
    func request(_ threads: Int, _ wantsTimeline: Bool) -> SimulationRequest {
      SimulationRequest(
        policies: [policy], scenario: scenario, threads: threads, wantsTimeline: wantsTimeline)
    }
    let plain = try SimulationRun(request(1, false)).run().report
    var pages: Set<String> = []
    for threads in [1, 1, 2] {
      let report = try SimulationRun(request(threads, true)).run().report
      #expect(report.decisionLogHash == plain.decisionLogHash && report.jsonText == plain.jsonText)
      pages.insert(ReportPage([report]).html)
    }
    #expect(pages.count == 1 && plain.timeline == nil)
  }

  @Test("the page loads no external content and permits only its own script")
  func isolated() throws {
    let page = ReportPage([try run([]), try run([try temporaryFiles.policy()])]).html
    for word in ["http:", "https:", "src=", "@import", "url(", "<iframe", "<img", "//www"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'") && page.contains("script-src 'sha256-"))
    #expect(page.ranges(of: "<script").count == 2 && page.ranges(of: "id=\"data\"").count == 1)
    #expect(!page.contains("{{"))
  }

  @Test("names with markup are escaped")
  func names() throws {
    var report = try run([try temporaryFiles.policy()])
    let nasty = "</script><script>alert('1')</script>\"onload=\"x"
    report.policies = ["a/\(nasty).stint"]
    report.trace = "\(nasty)&amp;"
    report.profile = nasty
    report.deliveries[ClientID(nasty)] = DeliveryCount(samples: 1)
    let page = ReportPage([report]).html
    #expect(page.ranges(of: "<script").count == 2 && page.ranges(of: "</script").count == 2)
    let seen = page[..<(try #require(page.firstRange(of: "<script")).lowerBound)]
    #expect(!seen.contains("\"onload=") && page.contains("&lt;/script&gt;&lt;script&gt;"))
  }

  @Test(
    "the data in a page is valid JSON without markup, and equals the recorded data")
  func data() throws {
    let report = try run([try temporaryFiles.policy()])
    let page = ReportPage([report]).html
    let opening = try #require(page.firstRange(of: "id=\"data\">"))
    let rest = page[opening.upperBound...]
    let text = String(rest[..<(try #require(rest.firstRange(of: "</script>")).lowerBound)])
    #expect(!text.contains("<") && !text.contains("&"))
    let data = try JSONReader.value(of: Array(text.utf8), source: "data")
    #expect(
      JSONWriter.text(of: data)
        == PageData(runs: [report], map: MapDrawing([try #require(report.timeline)])).json)
  }

  @Test("the page reports merged periods")
  func limits() throws {
    let report = try run([])
    var timeline = try #require(report.timeline)
    #expect(!ReportPage([report]).html.contains("are merged</li>"))
    var lane = timeline.devices[0]
    var log = LaneLog(limit: 5)
    for second in 0..<50 as Range<Int64> {
      let at = timeline.start + .seconds(second)
      log.append(LaneSpan(start: at, end: at + .seconds(1), kind: Int(second) % 2))
    }
    lane.spans = log.finished
    timeline = RunTimeline(
      start: timeline.start, end: timeline.end, timeZone: timeline.timeZone,
      devices: [lane] + timeline.devices.dropFirst(), rules: timeline.rules, curve: timeline.curve,
      causes: timeline.causes, accounts: timeline.accounts)
    var more = report
    more.timeline = timeline
    #expect(ReportPage([more]).html.contains("pale: more than 5 periods; those under"))
  }

  @Test("two runs are shown side by side as A and B, with the changes")
  func compared() throws {
    let page = ReportPage([try run([]), try run([try temporaryFiles.policy()])]).html
    #expect(page.contains("class=\"runs2\"") && page.contains(">A</b>none") && page.contains(">B</b>"))
    #expect(page.contains("data-run=\"1\"") && page.contains("less</span>"))
    #expect(page.contains("walk/hold is not in this policy"))
  }

  @Test("a path that is not writable is refused before the run")
  func paths() throws {
    #expect(throws: Problem.self) { try FileText.checkWriting(to: "/no-such-folder/out.html") }
    #expect(throws: Problem.self) { try FileText.checkWriting(to: "/tmp") }
    #expect(throws: Problem.self) { try FileText.checkWriting(to: "") }
    let file = try temporaryFiles.file("old.html", "old")
    #expect(throws: Problem.self) { try FileText.checkWriting(to: file + "/out.html") }
    try FileText.checkWriting(to: file)
    let report = try run([])
    try ReportPage([report]).write(to: file)
    #expect(try FileText.read(file) == Array(ReportPage([report]).html.utf8))
  }
}
