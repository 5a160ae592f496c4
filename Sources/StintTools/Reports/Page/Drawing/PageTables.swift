import StintDaemon
import StintModel
import StintUnits

/// The figures of the runs as tables. They need no script and do not depend on colours.
struct PageTables {
  private let page: ReportPage
  private let runs: [SimulationReport]
  private let timelines: [RunTimeline]

  private static let causeLimit = 20

  init(_ page: ReportPage) {
    self.page = page
    runs = page.runs
    timelines = page.timelines
  }

  var html: String {
    """
    <section aria-labelledby="where"><h2 id="where">Energy used</h2>
    <div class="grid tables">\(accounts("By device", \.ledger.byDevice))
    \(accounts("By client", \.ledger.byClient))
    \(accounts("By rule (or other cause)", \.ledger.byRule))</div></section>
    <section aria-labelledby="why"><h2 id="why">Causes</h2>
    <div class="grid">\(timelines.indices.map(causes).joined(separator: "\n"))</div></section>
    <section aria-labelledby="service"><h2 id="service">Service to clients</h2>
    \(service)</section>
    """
  }

  // MARK: Energy

  private func accounts<Key: Hashable & Comparable & CustomStringConvertible>(
    _ name: String, _ path: KeyPath<SimulationReport, [Key: Energy]>
  ) -> String {
    let accountsByRun = runs.map { $0[keyPath: path] }
    let keys = Set(accountsByRun.flatMap(\.keys)).sorted { left, right in
      let amounts = [left, right].map { key in accountsByRun.map { $0[key] ?? .zero }.max() ?? .zero }
      return (amounts[1], left) < (amounts[0], right)
    }
    let widest = runs.map(\.ledger.total).max() ?? .zero
    let rows = keys.map { key -> String in
      let cells = runs.enumerated().map { run, report -> String in
        let energy = report[keyPath: path][key]
        let width = widest > .zero ? (energy ?? .zero).joules / widest.joules * 100 : 0
        let bar = "<span class=\"bar run\(run)\" style=\"width:\(QuantityFormat.decimal(width))%\"></span>"
        return "<td class=\"number\">\(energy.map(QuantityFormat.energy) ?? "–")\(bar)</td>"
      }
      let change = changeCell(accountsByRun.map { $0[key] })
      return "<tr><th scope=\"row\">\(breakable("\(key)"))</th>\(cells.joined())\(change)</tr>"
    }
    let totals = runs.map { "<td class=\"number\">\(QuantityFormat.energy($0.ledger.total))</td>" }
    let sum =
      "<tr class=\"total\"><th scope=\"row\">total</th>\(totals.joined())\(changeCell(runs.map(\.ledger.total)))</tr>"
    let last = runs.count > 1 ? "change" : "part"
    return """
      <div class="cell scroll"><table><caption>\(name)</caption><thead><tr><td></td>\(heads("energy"))\
      <th scope="col">\(last)</th></tr></thead><tbody>\(rows.joined())\(sum)</tbody></table></div>
      """
  }

  private func heads(_ alone: String) -> String {
    guard runs.count > 1 else { return "<th scope=\"col\">\(alone)</th>" }
    return runs.enumerated().map { "<th scope=\"col\">\(page.badge($0))\(Markup.escaped($1.title))</th>" }
      .joined()
  }

  /// Returns the change from the first run to the last; for a single run, the share of the total.
  private func changeCell(_ amounts: [Energy?]) -> String {
    let first = amounts[0] ?? .zero
    let last = amounts[amounts.count - 1] ?? .zero
    let text: String
    if runs.count == 1 {
      text = runs[0].ledger.total == .zero ? "–" : Amounts.percent(first.joules / runs[0].ledger.total.joules)
    } else if first == .zero {
      text = last == .zero ? "" : "new"
    } else {
      let part = (last - first).joules / first.joules
      // A change that rounds to zero has no sign.
      let sign = part.magnitude < 0.0005 ? "" : part > 0 ? "+" : "−"
      text = sign + Amounts.percent(part.magnitude)
    }
    return "<td class=\"number\">\(text)</td>"
  }

  /// Returns a name with possible line breaks after dots and slashes.
  private func breakable(_ name: String) -> String {
    Markup.escaped(name).replacing(".", with: ".<wbr>").replacing("/", with: "/<wbr>")
  }

  // MARK: Causes

  private func causes(run: Int) -> String {
    let timeline = timelines[run]
    let spent = timeline.accounts.filter { $0.energy > .zero }
    let rows = spent.prefix(Self.causeLimit).map { row($0, timeline) }
    let rest = spent.dropFirst(Self.causeLimit)
    let more = rest.reduce(Energy.zero) { $0 + $1.energy }
    let other =
      rest.isEmpty
      ? ""
      : "<tr class=\"total\"><th scope=\"row\">\(rest.count) more</th><td></td><td></td>"
        + "<td class=\"number\">\(QuantityFormat.energy(more))</td></tr>"
    return """
      <div class="cell scroll"><table class="causes"><caption>\(page.badge(run))\(Markup.escaped(runs[run].title)): \
      from the client to the setting</caption>
      <thead><tr><th scope="col">device</th><th scope="col">client → demand → rules → grant → setting</th>\
      <th scope="col">how long</th><th scope="col">energy</th></tr></thead>
      <tbody>\(rows.joined(separator: "\n"))\(other)</tbody></table></div>
      """
  }

  private func row(_ entry: EnergyAccounts.Entry, _ timeline: RunTimeline) -> String {
    let lane = timeline.devices[entry.key.device]
    let isEvent = entry.key.kind < 0
    let kind = isEvent ? lane.events[-1 - entry.key.kind].name : lane.states[entry.key.kind].name
    let length = isEvent ? "\(Amounts.count(entry.times))×" : Amounts.span(entry.length)
    return
      "<tr><th scope=\"row\">\(breakable(lane.device.path)) <small>\(Markup.escaped(kind))</small></th>"
      + "<td>\(chain(entry.key.shape, timeline.causes))</td><td class=\"number\">\(length)</td>"
      + "<td class=\"number\">\(QuantityFormat.energy(entry.energy))</td></tr>"
  }

  private func chain(_ number: Int, _ causes: CauseTable) -> String {
    if number == CauseTable.floor { return "floor power, without a demand" }
    if number == CauseTable.others { return "other causes (this page stores only a limited number)" }
    let chain = causes.chains[number]
    var links: [String] = []
    for link in chain.links {
      let rules = link.rules.isEmpty ? "no rule" : link.rules.joined(separator: ", ")
      let parts = [link.client, link.wants.isEmpty ? "default settings" : link.wants, rules, link.grant]
      let text = parts.map(Markup.escaped).joined(separator: Self.arrow)
      // Equal demands are shown once.
      if !links.contains(text) { links.append(text) }
    }
    return links.joined(separator: "<br>") + Self.arrow + Markup.escaped(chain.setting)
  }

  private static let arrow = " <span class=\"arrow\">→</span> "

  // MARK: Service

  private var service: String {
    var rows: [(String, [String])] = []
    for client in Set(runs.flatMap(\.deliveries.keys)).sorted() {
      let counts = runs.map { $0.deliveries[client] }
      rows.append(("\(client), samples", counts.map { $0.map { Amounts.count($0.samples) } ?? "–" }))
      rows.append(("\(client), batches", counts.map { $0.map { Amounts.count($0.batches) } ?? "–" }))
      rows.append(("\(client), worst gap", counts.map { $0.map { Amounts.span($0.worstGap) } ?? "–" }))
    }
    rows.append(("fixes delivered", runs.map { Amounts.count($0.fixes) }))
    for device in Set(runs.flatMap(\.accuracy.keys)).sorted() {
      let records = runs.map { $0.accuracy[device] }
      rows.append(("\(device), median error", records.map { Amounts.metres($0?.medianError) }))
      rows.append(("\(device), error 95 %", records.map { Amounts.metres($0?.error95) }))
      rows.append(
        (
          "\(device), requested accuracy met while moving",
          records.map { $0?.withinBound.map(Amounts.percent) ?? "–" }
        ))
    }
    if runs.contains(where: { $0.transfers.carried + $0.transfers.late > 0 }) {
      rows.append(("transfers carried", runs.map { Amounts.count($0.transfers.carried) }))
      rows.append(("transfers late", runs.map { Amounts.count($0.transfers.late) }))
      rows.append(("longest wait of a transfer", runs.map { Amounts.span($0.transfers.longestWait) }))
    }
    rows.append(("wake-ups", runs.map { Amounts.count($0.wakeups.total) }))
    rows.append(("decisions", runs.map { Amounts.count($0.decisions) }))
    let lines = rows.map { name, values in
      "<tr><th scope=\"row\">\(breakable(name))</th>"
        + values.map { "<td class=\"number\">\($0)</td>" }.joined() + "</tr>"
    }
    return
      "<div class=\"scroll\"><table class=\"service\"><caption>Service</caption><thead><tr><td></td>\(heads("figure"))</tr></thead>"
      + "<tbody>\(lines.joined())</tbody></table></div>"
  }
}
