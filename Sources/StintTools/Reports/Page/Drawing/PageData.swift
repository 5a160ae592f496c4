import StintFormats
import StintModel
import StintUnits

/// The JSON data for the page's script: all spans, causes and positions.
struct PageData {
  let runs: [SimulationReport]
  let map: MapDrawing?

  /// The data as one line of JSON.
  var json: String {
    JSONWriter.text(of: ["runs": JSONValue(runs.compactMap { run in run.timeline.map { self.run(run, $0) } })]
    )
  }

  private func run(_ report: SimulationReport, _ timeline: RunTimeline) -> JSONValue {
    [
      "title": JSONValue(report.title), "length": milliseconds(timeline.end, timeline),
      "midnight": JSONValue(sinceMidnight(timeline)), "offsets": offsets(timeline),
      "causes": JSONValue(timeline.causes.chains.map(cause)), "lanes": lanes(timeline),
      "curve": JSONValue(
        timeline.curve.map { point -> JSONValue in
          [
            milliseconds(point.instant, timeline), JSONValue(point.spent.nanojoules),
            point.battery.map { JSONValue(rounded($0, 10_000)) } ?? .null,
          ]
        }),
      "fixes": JSONValue(timeline.fixes.map { fix(in: timeline, $0) }),
      "mapHeight": map.map { JSONValue(Int64($0.height)) } ?? .null,
      "mapScale": map.map { JSONValue($0.scale) } ?? .null,
    ]
  }

  private func lanes(_ timeline: RunTimeline) -> JSONValue {
    var lanes: [JSONMember] = []
    for (place, lane) in timeline.devices.enumerated() {
      let name = JSONValue(lane.device.path)
      lanes.append(
        JSONMember(
          "d\(place)",
          [
            "name": name, "form": "states",
            "kinds": JSONValue(
              lane.states.map { [JSONValue($0.name), JSONValue(QuantityFormat.power($0.power))] }),
            "spans": spans(lane.spans, timeline),
          ]))
      lanes.append(
        JSONMember(
          "e\(place)",
          [
            "name": name, "form": "events",
            "kinds": JSONValue(
              lane.events.map { [JSONValue($0.name), JSONValue(QuantityFormat.energy($0.energy))] }),
            "spans": spans(lane.occurrences, timeline),
          ]))
      lanes.append(
        JSONMember("w\(place)", ["name": name, "form": "wakes", "spans": spans(lane.wakes, timeline)]))
    }
    for (place, lane) in timeline.rules.enumerated() {
      lanes.append(
        JSONMember(
          "r\(place)",
          [
            "name": JSONValue(lane.rule.description), "note": JSONValue(lane.note), "form": "rule",
            "spans": spans(lane.log, timeline),
          ]))
    }
    return JSONValue(lanes)
  }

  private func spans(_ log: LaneLog, _ timeline: RunTimeline) -> JSONValue {
    JSONValue(
      log.spans.map { span in
        [
          milliseconds(span.start, timeline), milliseconds(span.end, timeline), JSONValue(span.kind),
          JSONValue(span.cause), JSONValue(span.energy.nanojoules), JSONValue(span.count),
        ]
      })
  }

  private func cause(_ chain: CauseTable.Chain) -> JSONValue {
    [
      "links": JSONValue(
        chain.links.map { link in
          [
            JSONValue(link.client), JSONValue(link.demand), JSONValue(link.wants),
            JSONValue(link.rules.joined(separator: ", ")), JSONValue(link.grant),
          ]
        }), "setting": JSONValue(chain.setting),
    ]
  }

  private func fix(in timeline: RunTimeline, _ fix: RunTimeline.Fix) -> JSONValue {
    let (x, y) = map?.place(fix.position) ?? (0, 0)
    return [
      milliseconds(fix.instant, timeline), milliseconds(fix.delivered, timeline), JSONValue(fix.device),
      fix.radius.map { JSONValue(rounded($0, 10)) } ?? .null,
      fix.error.map { JSONValue(rounded($0, 10)) } ?? .null,
      JSONValue(rounded(x, 1000)), JSONValue(rounded(y, 1000)),
      JSONValue(rounded(fix.position.latitude, 1_000_000)),
      JSONValue(rounded(fix.position.longitude, 1_000_000)),
    ]
  }

  /// Returns the local time of day at the start, in seconds.
  private func sinceMidnight(_ timeline: RunTimeline) -> Int64 {
    let local = timeline.start.nanoseconds + timeline.timeZone.offset(at: timeline.start).nanoseconds
    let day: Int64 = 86_400_000_000_000
    return (local % day + day) % day / 1_000_000_000
  }

  /// Returns the changes of the local clock: the instant, and the total shift since the start in seconds.
  private func offsets(_ timeline: RunTimeline) -> JSONValue {
    let first = timeline.timeZone.offset(at: timeline.start)
    var list: [JSONValue] = []
    var instant = timeline.start
    while let transition = timeline.timeZone.nextTransition(after: instant),
      transition.instant <= timeline.end
    {
      let shift = (transition.offset - first).nanoseconds / 1_000_000_000
      list.append([milliseconds(transition.instant, timeline), JSONValue(shift)])
      instant = transition.instant
    }
    return JSONValue(list)
  }

  private func milliseconds(_ instant: Instant, _ timeline: RunTimeline) -> JSONValue {
    JSONValue((instant - timeline.start).nanoseconds / 1_000_000)
  }

  private func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
}
