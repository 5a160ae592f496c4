import StintDaemon
import StintJournal
import StintModel
import StintRuntime
public import StintUnits

/// An HTML report of one or more runs. It is one file that loads no external content; equal runs give equal
/// bytes.
public struct ReportPage: Sendable {
  let runs: [SimulationReport]

  /// Creates a page of runs in the same world, side by side.
  ///
  /// - Precondition: there is at least one run, and each run has a timeline.
  public init(_ runs: [SimulationReport]) {
    precondition(!runs.isEmpty && runs.allSatisfy { $0.timeline != nil }, "each run needs a timeline")
    self.runs = runs
  }

  /// The page as HTML.
  public var html: String {
    let map = MapDrawing(timelines)
    let script = Self.text(PackageResources.page_js)
    var digest = SHA256()
    digest.update(Array(script.utf8))
    let body = [
      header, summary, PageLanes(self).html, curves, mapSection(map), PageTables(self).html, footer,
    ]
    return Markup.filled(
      Self.text(PackageResources.page_html),
      [
        "title": Markup.escaped(heading), "style": Self.text(PackageResources.page_css),
        "body": body.joined(separator: "\n"),
        "data": Markup.embedded(json: PageData(runs: runs, map: map).json), "script": script,
        "scriptHash": Markup.base64(digest.digest()), "runs": "\(runs.count)",
      ])
  }

  /// Writes the page and replaces an existing file.
  ///
  /// - Throws: `Problem` when the file cannot be written.
  public func write(to path: String) throws(Problem) {
    try FileText.write(Array(html.utf8), to: path)
  }

  // MARK: Parts

  var timelines: [RunTimeline] { runs.compactMap(\.timeline) }

  /// The names of the runs and of their world: `hiking on day-hike`, `none and hiking on day-hike`.
  private var heading: String {
    "\(runs.map(\.title).joined(separator: " and ")) on \(runs[0].place)"
  }

  private var header: String {
    let run = runs[0]
    let first = timelines[0]
    let start = CalendarMoment(first.start, first.timeZone)
    let end = CalendarMoment(first.end, first.timeZone)
    let until = start.date == end.date ? end.minutes : "\(end.day), \(end.minutes)"
    let names = runs.enumerated().map {
      "<span class=\"name\">\(badge($0))\(Markup.escaped($1.title))</span>"
    }
    return """
      <header>
      <h1>\(names.joined(separator: " <span class=\"against\">and</span> ")) \
      <span class="place">on \(Markup.escaped(run.place))</span></h1>
      <p class="about">\(start.day.prefix(3)) \(start.date), \(start.minutes)–\(until) (\(start.zone)) · \
      \(Amounts.span(run.duration)) · seed \(run.seed) · \(Markup.escaped(run.profile))</p>
      </header>
      """
  }

  /// Returns the letter of a run as HTML; empty for a single run.
  func badge(_ run: Int) -> String {
    guard runs.count > 1 else { return "" }
    let letter = Character(UnicodeScalar(UInt8(65 + run % 26)))
    return "<b class=\"badge run\(run)\">\(letter)</b>"
  }

  private var summary: String {
    let cards = runs.enumerated().map { index, run -> String in
      let mean = run.duration > .zero ? run.ledger.total.joules / run.duration.seconds : 0
      var facts = [
        (
          "energy", QuantityFormat.energy(run.ledger.total),
          Power(watts: mean).map { "mean " + QuantityFormat.power($0) }
        ),
        ("wake-ups", Amounts.count(run.wakeups.total), perHour(run)),
        ("fixes delivered", Amounts.count(run.fixes), error(run)),
      ]
      let levels = run.timeline?.curve.compactMap(\.battery) ?? []
      if let first = levels.first, let last = levels.last {
        facts.insert(("battery", "\(percent(first)) → \(percent(last))", nil), at: 1)
      }
      if run.unexplained > .zero {
        facts.append(("on without a cause", Amounts.span(run.unexplained), nil))
      }
      let items = facts.map { name, value, more in
        "<div><dt>\(name)</dt><dd>\(value)\(more.map { " <small>\($0)</small>" } ?? "")</dd></div>"
      }
      let name =
        runs.count > 1 ? "<h3>\(badge(index))\(Markup.escaped(run.title))\(saving(of: index))</h3>" : ""
      return "<div class=\"cell\">\(name)<dl class=\"cards\">\(items.joined())</dl></div>"
    }
    return "<section class=\"grid\" aria-label=\"Summary\">\(cards.joined())</section>"
  }

  private func saving(of index: Int) -> String {
    let base = runs[0].ledger.total
    guard index > 0, base != .zero else { return "" }
    let part = (base - runs[index].ledger.total).joules / base.joules
    let words =
      part == 0 ? "same energy" : "\(Amounts.percent(part.magnitude)) \(part > 0 ? "less" : "more")"
    return " <span class=\"saving\">\(words)</span>"
  }

  private func percent(_ level: Double) -> String {
    "\(QuantityFormat.decimal((level * 1000).rounded() / 10)) %"
  }

  private func perHour(_ run: SimulationReport) -> String? {
    guard run.duration > .zero else { return nil }
    let rate = Double(run.wakeups.total) / run.duration.seconds * 3600
    return "\(QuantityFormat.decimal((rate * 10).rounded() / 10)) per hour"
  }

  private func error(_ run: SimulationReport) -> String? {
    run.accuracy.sorted { $0.key < $1.key }.compactMap(\.value.medianError).min().map {
      "median error \(Amounts.metres($0))"
    }
  }

  private var footer: String {
    let limits = PageLimits.standard
    return """
      <footer><p>This page contains at most \(limits.spans) periods of a lane and \(limits.fixes) fixes \
      of a device; beyond these limits, short periods are merged or fixes are left out, with a note. \
      The tables cover the whole run. Decision log, SHA-256: \
      \(runs.map { "<code>\(Markup.escaped($0.decisionLogHash))</code>" }.joined(separator: ", ")).</p></footer>
      """
  }

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
