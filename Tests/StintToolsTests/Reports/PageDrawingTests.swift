import StintModel
import StintUnits
import Testing

@testable import StintTools

@Suite("Drawing of a report page")
struct PageDrawingTests {
  private func axis(from start: Int64, hours: Int64, _ zone: TimeZoneRules) -> TimeAxis {
    let start = Instant(nanoseconds: start * 1_000_000_000)
    return TimeAxis(
      RunTimeline(
        start: start, end: start + .hours(hours), timeZone: zone, devices: [], rules: [], curve: [],
        causes: CauseTable(limit: 1), accounts: []))
  }

  @Test("inserted text and JSON cannot close the HTML element that contains them")
  func escaping() {
    #expect(
      Markup.escaped("<script>alert('a' & \"b\")</script>")
        == "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;")
    #expect(Markup.escaped("a\u{0}b\u{1B}c\u{85}d\te") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\te")
    #expect(
      Markup.embedded(json: "\"</script><!--&\u{2028}\"")
        == "\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\"")
  }

  @Test("values inserted into a template are not searched for placeholders")
  func template() {
    #expect(Markup.filled("a {{x}} b {{y}}{{x}}", ["x": "{{y}}", "y": "2"]) == "a {{y}} b 2{{y}}")
  }

  @Test(
    "bytes are encoded in base 64",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, expected: String) { #expect(Markup.base64(Array(text.utf8)) == expected) }

  @Test("marks are at whole hours of local time, including the ends")
  func hours() throws {
    // 2026-05-16T08:00:00+02:00, ten hours.
    let axis = axis(from: 1_778_911_200, hours: 10, try TimeZoneRules("UTC-2"))
    #expect(axis.marks.map(\.label) == (8...18).map { $0 < 10 ? "0\($0):00" : "\($0):00" })
    #expect(axis.percent(axis.marks[0].instant) == "0.00%" && axis.percent(axis.end) == "100.00%")
    #expect(axis.percent(axis.start + .hours(1)) == "10.00%")
  }

  @Test("marks stay at round local times when the clock is set forward")
  func summerTime() throws {
    // 2026-03-28T22:00:00+01:00; at 02:00 the local time becomes 03:00.
    let axis = axis(from: 1_774_731_600, hours: 12, try TimeZoneRules("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(axis.marks.map(\.label).prefix(6) == ["22:00", "23:00", "00:00", "01:00", "03:00", "04:00"])
    let autumn = self.axis(from: 1_792_875_600, hours: 24, try TimeZoneRules("CET-1CEST,M3.5.0,M10.5.0/3"))
    #expect(autumn.marks.count <= 13)
    for (left, right) in zip(autumn.marks, autumn.marks.dropFirst()) { #expect(left.instant < right.instant) }
  }

  @Test(
    "the time axis of a run of any length has at most 14 marks",
    arguments: [1, 3, 9, 24, 40, 100, 24 * 30, 24 * 400] as [Int64])
  func lengths(hours: Int64) {
    let marks = axis(from: -86_400 * 3 - 17, hours: hours, .utc).marks
    #expect((1...14).contains(marks.count))
    #expect(Set(marks.map(\.instant)).count == marks.count)
  }

  @Test("days have correct names, even before 1970 and on 29 February")
  func calendar() {
    #expect(CalendarMoment(Instant(nanoseconds: -1_000_000_000), .utc).day == "Wed 31 Dec")
    #expect(CalendarMoment(Instant(nanoseconds: 1_709_208_000_000_000_000), .utc).date == "29 February 2024")
    #expect(CalendarMoment(.epoch, .utc).zone == "UTC")
  }

  @Test("the height of a state that is on grows with its power; other states have fixed heights")
  func levels() throws {
    func state(_ name: String, _ watts: Double, _ isOn: Bool) throws -> PowerState {
      PowerState(name: name, power: try #require(Power(watts: watts)), isOn: isOn)
    }
    let levels = LaneDrawing.Level.all(of: [
      try state("off", 0, false), try state("standby", 66e-6, false), try state("search", 0.075, true),
      try state("track", 0.06, true),
    ])
    #expect(levels[0] == .nothing && levels[1] == .idle)
    #expect(levels[2].height == 100 && levels[3].height == 40 && levels[2].colour == 2)
  }

  @Test(
    "the ends of a scale are round numbers",
    arguments: [(0.0, 1.0), (0.3, 0.5), (1, 1), (1.1, 2), (2.5, 5), (7, 10), (840, 1000)])
  func round(value: Double, expected: Double) { #expect(CurveDrawing.round(value) == expected) }

  @Test("on a map, north is up and lengths are to scale")
  func map() throws {
    let start = try #require(Coordinate(latitude: 60, longitude: 20))
    let fixes = [start, start.moved(north: 1000, east: 0), start.moved(north: 0, east: 1000)].map {
      RunTimeline.Fix(instant: .epoch, delivered: .epoch, position: $0, radius: 5, device: 0)
    }
    var log = ThinnedLog<RunTimeline.Fix>(limit: 10)
    for fix in fixes { log.append(fix) }
    let lane = RunTimeline.DeviceLane(
      device: "location.gnss", title: "", states: [], events: [], spans: LaneLog(limit: 1),
      occurrences: LaneLog(limit: 1), wakes: LaneLog(limit: 1), fixes: log)
    let timeline = RunTimeline(
      start: .epoch, end: .epoch + .seconds(1), timeZone: .utc, devices: [lane], rules: [], curve: [],
      causes: CauseTable(limit: 1), accounts: [])
    let map = try #require(MapDrawing([timeline]))
    let places = fixes.map { map.place($0.position) }
    #expect(abs((places[0].y - places[1].y) * map.scale - 1000) < 5 && abs(places[0].x - places[1].x) < 0.1)
    #expect(abs((places[2].x - places[0].x) * map.scale - 1000) < 5 && abs(places[2].y - places[0].y) < 0.1)
    for place in places { #expect((0...1000).contains(place.x) && (0...map.height).contains(place.y)) }
    #expect(MapDrawing([]) == nil)
  }
}
