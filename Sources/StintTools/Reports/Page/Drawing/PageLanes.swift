import StintDaemon
import StintModel
import StintUnits

/// The lanes of devices and rules, with a common time axis.
struct PageLanes {
  private let page: ReportPage
  private let runs: [SimulationReport]
  private let timelines: [RunTimeline]

  init(_ page: ReportPage) {
    self.page = page
    runs = page.runs
    timelines = page.timelines
  }

  var html: String { devices + "\n" + rules }

  // MARK: Devices

  private var devices: String {
    let lanes = timelines[0].devices
    let shown = lanes.indices.filter { place in timelines.contains { needsLane($0.devices[place]) } }
    let rest = lanes.indices.filter { !shown.contains($0) && !lanes[$0].states.isEmpty }
    let rows = shown.map { place in
      let cells = timelines.indices.map { deviceCell(run: $0, place) }
      return "<div class=\"grid row\">\(cells.joined(separator: "\n"))</div>"
    }
    let silent = rest.map { Markup.escaped(lanes[$0].device.path) }.joined(separator: ", ")
    let note = silent.isEmpty ? "" : "<p class=\"rest\">Never on, no energy: \(silent).</p>"
    return """
      <section aria-labelledby="devices"><h2 id="devices">Devices</h2>
      <p class="hint">Each bar is a period in one power state; a higher bar means more power. To see the \
      cause of a bar, point at it or tap it; or select a lane with Tab, and a bar with the arrow keys.</p>
      \(colours)
      \(axes)
      \(rows.joined(separator: "\n"))
      \(axes)\(note)</section>
      """
  }

  private var colours: String {
    let items = LaneDrawing.Level.meanings.enumerated().map { colour, meaning in
      "<li><i class=\"swatch k\(colour)\"><i style=\"height:\(colour == 0 ? 14 : 100)%\"></i></i>\(meaning)</li>"
    }
    return "<ul class=\"legend key\">\(items.joined())</ul>"
  }

  private var axes: String {
    let cells = timelines.indices.map { run in
      let name = runs.count > 1 ? "<b>\(page.badge(run))\(Markup.escaped(runs[run].title))</b>" : ""
      return "<div class=\"cell\">\(name)\(Self.axis(TimeAxis(timelines[run])))</div>"
    }
    return "<div class=\"grid axes\">\(cells.joined())</div>"
  }

  static func axis(_ axis: TimeAxis) -> String {
    let labels = axis.marks.map { mark in
      "<span\(mark.isMain ? "" : " class=\"minor\"") style=\"left:\(axis.percent(mark.instant))\">\(mark.label)</span>"
    }
    return "<div class=\"axis\" aria-hidden=\"true\">\(labels.joined())</div>"
  }

  private func needsLane(_ lane: RunTimeline.DeviceLane) -> Bool {
    lane.energy > .zero || !lane.wakes.spans.isEmpty || lane.spans.spans.count > 1
  }

  private func deviceCell(run: Int, _ place: Int) -> String {
    let timeline = timelines[run]
    let lane = timeline.devices[place]
    let drawing = LaneDrawing(axis: TimeAxis(timeline))
    let name = Markup.escaped(lane.device.path)
    var legend = stateLegend(lane)
    var plots = plot(run, "d\(place)", "\(name), power states", "states", drawing.states(lane))
    if !lane.occurrences.spans.isEmpty {
      let count = lane.occurrences.spans.reduce(0) { $0 + $1.count }
      let kinds = lane.events.map { "\(Markup.escaped($0.name)) \(QuantityFormat.energy($0.energy))" }
      legend.append(
        "<li><i class=\"ticks\"></i>\(Amounts.count(count)) × \(kinds.joined(separator: " or "))</li>")
      plots += plot(run, "e\(place)", "\(name), priced events", "events", drawing.ticks(lane.occurrences))
    }
    if !lane.wakes.spans.isEmpty {
      let count = lane.wakes.spans.reduce(0) { $0 + $1.count }
      legend.append("<li><i class=\"ticks wake\"></i>\(Amounts.count(count)) wake-ups for this device</li>")
      plots += plot(run, "w\(place)", "\(name), wake-ups for this device", "wakes", drawing.ticks(lane.wakes))
    }
    legend.append(mergedNote([lane.spans, lane.occurrences, lane.wakes]))
    return """
      <figure class="cell lane"><figcaption><span class="what">\(page.badge(run))<b>\(name)</b> <span>\(Markup.escaped(lane.title))</span></span>\
      <output>\(QuantityFormat.energy(lane.energy))</output></figcaption>
      \(plots)<ul class="legend">\(legend.joined())</ul></figure>
      """
  }

  private func plot(_ run: Int, _ key: String, _ name: String, _ form: String, _ svg: String) -> String {
    "<div class=\"plot \(form)\" data-run=\"\(run)\" data-lane=\"\(key)\" data-name=\"\(name)\">\(svg)</div>"
  }

  /// Returns the legend of the states that the device entered.
  private func stateLegend(_ lane: RunTimeline.DeviceLane) -> [String] {
    let levels = LaneDrawing.Level.all(of: lane.states)
    let seen = Set(lane.spans.spans.flatMap { [$0.kind, $0.peak] })
    let order = lane.states.indices.filter { seen.contains($0) }
      .sorted { (lane.states[$0].power, $0) < (lane.states[$1].power, $1) }
    return order.map { state in
      let level = levels[state]
      let swatch = "<i class=\"swatch k\(level.colour)\"><i style=\"height:\(level.height)%\"></i></i>"
      let rate = lane.states[state].perHertz > .zero ? " plus an amount by rate" : ""
      let power = QuantityFormat.power(lane.states[state].power)
      return "<li>\(swatch)\(Markup.escaped(lane.states[state].name)) <small>\(power)\(rate)</small></li>"
    }
  }

  /// Returns a note about merged spans; empty when no spans were merged.
  private func mergedNote(_ logs: [LaneLog]) -> String {
    guard let grain = logs.map(\.grain).max(), grain > .zero else { return "" }
    return "<li class=\"pale\">pale: more than \(Amounts.count(logs[0].limit)) periods; "
      + "those under \(Amounts.span(grain)) are merged</li>"
  }

  // MARK: Rules

  private var rules: String {
    let names = Set(timelines.flatMap { $0.rules.map(\.rule) }).sorted()
    guard !names.isEmpty else { return "" }
    let shown = names.filter { name in
      timelines.contains { $0.rules.contains { $0.rule == name && !$0.log.spans.isEmpty } }
    }
    let rows = shown.map { name in
      let cells = timelines.indices.map { run -> String in
        guard let place = timelines[run].rules.firstIndex(where: { $0.rule == name }) else {
          return "<div class=\"cell absent\">\(Markup.escaped(name.description)) is not in this policy</div>"
        }
        return ruleCell(run: run, place)
      }
      return "<div class=\"grid row\">\(cells.joined(separator: "\n"))</div>"
    }
    let silent = names.filter { !shown.contains($0) }.map { Markup.escaped($0.description) }
    let note =
      silent.isEmpty ? "" : "<p class=\"rest\">Never in force: \(silent.joined(separator: ", ")).</p>"
    return """
      <section aria-labelledby="rules"><h2 id="rules">Rules in force</h2>
      \(shown.isEmpty ? "" : axes)
      \(rows.joined(separator: "\n"))\(note)</section>
      """
  }

  private func ruleCell(run: Int, _ place: Int) -> String {
    let timeline = timelines[run]
    let lane = timeline.rules[place]
    let name = Markup.escaped(lane.rule.description)
    let use = runs[run].rules[lane.rule] ?? RuleActivity()
    let part = timeline.length > .zero ? use.inForce.seconds / timeline.length.seconds : 0
    let total = use.inForce > .zero ? ", \(Amounts.percent(part)) of the time" : ""
    let svg = LaneDrawing(axis: TimeAxis(timeline)).rule(lane.log)
    let note = mergedNote([lane.log])
    return """
      <figure class="cell lane"><figcaption><span class="what">\(page.badge(run))<b>\(name)</b> <span>\(Markup.escaped(lane.note))</span></span>\
      <output>\(Amounts.count(use.activations))×\(total)</output></figcaption>
      \(plot(run, "r\(place)", "rule \(name)", "rule", svg))\(note.isEmpty ? "" : "<ul class=\"legend\">\(note)</ul>")</figure>
      """
  }
}
