import StintModel
import StintUnits

extension ReportPage {
  /// The charts of spent energy and battery level, with all runs in one drawing.
  var curves: String {
    let axis = TimeAxis(timelines[0])
    let spent = CurveDrawing(
      axis: axis,
      curves: timelines.map { timeline in
        timeline.curve.map { (TimeAxis(timeline).place($0.instant), $0.spent.joules) }
      }, base: 0, minSpan: 1e-6)
    let levels = timelines.map { timeline in
      timeline.curve.compactMap { point in
        point.battery.map { (place: TimeAxis(timeline).place(point.instant), value: $0 * 100) }
      }
    }
    var figures = [
      figure("Energy spent", unit: "J", spent, ends: runs.map { QuantityFormat.energy($0.ledger.total) })
    ]
    if levels.contains(where: { !$0.isEmpty }) {
      let battery = CurveDrawing(axis: axis, curves: levels, base: nil, minSpan: 4)
      let ends = levels.map { curve in
        curve.last.map { "\(QuantityFormat.decimal(($0.value * 10).rounded() / 10)) %" } ?? "unknown"
      }
      figures.append(figure("Battery", unit: "%", battery, ends: ends))
    }
    return """
      <section aria-labelledby="curves"><h2 id="curves">Energy and battery</h2>
      <div class="grid">\(figures.joined(separator: "\n"))</div></section>
      """
  }

  private func figure(_ name: String, unit: String, _ drawing: CurveDrawing, ends: [String]) -> String {
    let marks = drawing.marks.map {
      "<span style=\"top:\($0.percent)%\">\(QuantityFormat.grouped($0.value)) \(unit)</span>"
    }
    let legend = runs.enumerated().map { run, report in
      let line =
        runs.count > 1 ? "<i class=\"line run\(run)\"></i>\(badge(run))\(Markup.escaped(report.title)): " : ""
      return "<li>\(line)\(ends[run]) at the end</li>"
    }
    return """
      <figure class="cell chart"><figcaption><b>\(name)</b></figcaption>
      <ul class="legend">\(legend.joined())</ul>
      <div class="plot tall" data-curve="\(unit == "J" ? "energy" : "battery")" data-name="\(name)">\(drawing.svg)\
      <div class="scale" aria-hidden="true">\(marks.joined())</div></div>\(PageLanes.axis(drawing.axis))</figure>
      """
  }
}
