import StintDaemon
import StintModel
import StintUnits

extension ReportPage {
  /// Returns the section with the phone's true path and the delivered positions.
  func mapSection(_ map: MapDrawing?) -> String {
    let heading = "<section aria-labelledby=\"map\"><h2 id=\"map\">Path and fixes</h2>"
    guard let map else {
      return heading + "<p>The phone did not move, and no positions were delivered.</p></section>"
    }
    let figures = timelines.enumerated().map { figure(map, run: $0, $1) }
    return "\(heading)\n<div class=\"grid\">\(figures.joined(separator: "\n"))</div></section>"
  }

  private func figure(_ map: MapDrawing, run: Int, _ timeline: RunTimeline) -> String {
    var legend = timeline.truePath.isEmpty ? [] : ["<li><i class=\"line way\"></i>true path</li>"]
    var notes: [String] = []
    for (place, lane) in timeline.devices.enumerated() where lane.fixes.count > 0 {
      let style = map.style(of: place, timeline)
      let name = Markup.escaped(lane.device.path)
      legend.append(
        "<li><i class=\"dot d\(style)\"></i>\(name): \(Amounts.count(lane.fixes.count)) fixes with their "
          + "accuracy radius</li>")
      if lane.fixes.stride > 1 { notes.append("only one in \(lane.fixes.stride) fixes of \(name) is drawn") }
    }
    if timeline.fixes.isEmpty { notes.append("no fixes were delivered") }
    let (metres, percent) = map.bar
    let name = runs.count > 1 ? "<b>\(badge(run))\(Markup.escaped(runs[run].title))</b>" : ""
    let note = notes.isEmpty ? "" : "<small>\(notes.joined(separator: "; "))</small>"
    return """
      <figure class="cell"><figcaption>\(name)\(note)</figcaption>
      <div class="frame"><div class="plot map" data-run="\(run)" data-map="fixes" data-name="Map of \(Markup.escaped(runs[run].title))">\
      \(map.svg(timeline))\(ends(map, timeline))\
      <div class="north" aria-label="north is up">N<svg viewBox="0 0 10 14" aria-hidden="true">\
      <path d="M5 0L10 14L5 10.5L0 14z"/></svg></div>\
      <div class="ruler" style="width:\(percent)%"><span>\(QuantityFormat.length(metres))</span></div></div></div>
      <ul class="legend">\(legend.joined())</ul></figure>
      """
  }

  /// Returns labels for the start and the end of the path.
  private func ends(_ map: MapDrawing, _ timeline: RunTimeline) -> String {
    guard let first = timeline.truePath.first, let last = timeline.truePath.last else { return "" }
    let (start, end) = (map.place(first), map.place(last))
    let isNear = (start.x - end.x).magnitude < 120 && (start.y - end.y).magnitude < 60
    if isNear { return label(isNear && timeline.truePath.count < 2 ? "here" : "start and end", start, map) }
    return label("start", start, map) + label("end", end, map)
  }

  private func label(_ text: String, _ place: (x: Double, y: Double), _ map: MapDrawing) -> String {
    let left = QuantityFormat.decimal(place.x / MapDrawing.width * 100)
    let top = QuantityFormat.decimal(place.y / map.height * 100)
    return
      "<span class=\"end\" data-left=\"\(left)\" data-top=\"\(top)\" style=\"left:\(left)%;top:\(top)%\">\(text)</span>"
  }
}
