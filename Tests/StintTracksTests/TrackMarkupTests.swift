import StintModel
import StintUnits
import Testing

@testable import StintTracks

@Suite("Tracks as GPX")
struct TrackMarkupTests {
  static func document(_ body: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\"><trk><trkseg>\n\(body)\n"
      + "</trkseg></trk></gpx>\n"
  }

  static func point(_ time: String, lat: String = "47.5", lon: String = "8.25") -> String {
    "<trkpt lat=\"\(lat)\" lon=\"\(lon)\"><time>\(time)</time></trkpt>"
  }

  @Test("points have the time since the first point, the elevation, the speed and the type of the track")
  func everything() throws {
    let text = """
      <?xml version='1.0'?>
      <!DOCTYPE gpx>
      <!-- <trkpt lat="1" lon="2"> is no point here -->
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:x="urn:x">
        <g:metadata><g:time>1999-01-01T00:00:00Z</g:time><g:name>A &amp; B &#x20AC;</g:name></g:metadata>
        <g:wpt lat="1" lon="1"><g:name>hut</g:name></g:wpt>
        <g:trk><g:name><![CDATA[<trkpt lat="9" lon="9">]]></g:name><g:type> hiking </g:type><g:trkseg>
          <g:trkpt lat="47.5" lon='8.25'><g:ele>501.5</g:ele><g:time>2026-05-16T08:00:00.5+02:00</g:time>
            <g:extensions><x:TrackPointExtension>
              <x:speed>1.25</x:speed><x:ele>7</x:ele>
            </x:TrackPointExtension></g:extensions>
          </g:trkpt>
          <g:trkpt lon="8.26" lat="47.6"><g:time>2026-05-16T06:00:10.5Z</g:time><g:ele/></g:trkpt>
        </g:trkseg></g:trk>
        <g:trk><g:trkseg><g:trkpt lat="0" lon="0">
          <g:time>2026-05-17T06:00:00.5Z</g:time></g:trkpt></g:trkseg></g:trk>
      </g:gpx>
      """
    let found = try points(text, name: "a.gpx")
    #expect(found.map(\.time) == [.zero, .seconds(10), .hours(24)])
    #expect(found.map(\.altitude) == [501.5, nil, nil])
    #expect(found.map(\.speed) == [1.25, nil, nil])
    #expect(found.map(\.label) == ["hiking", "hiking", nil])
    #expect(found.map(\.position.latitude) == [47.5, 47.6, 0])
  }

  @Test("an empty element has no text, even directly after other text")
  func emptyElement() throws {
    let text = Self.document(
      "<trkpt lat=\"1\" lon=\"2\">abc<ele/><speed>3</speed>4<speed/>"
        + "<time>2026-05-16T08:00:00Z</time></trkpt>")
    let found = try points(text, name: "a.gpx")
    #expect(found.map(\.altitude) == [nil])
    #expect(found.map(\.speed) == [nil])
  }

  /// Wrong files, with the location, the code and a part of the message.
  static let mistakes: [(String, String, Problem.Code, String)] = [
    ("<html><body></body></html>", "1:1", .unexpectedContent, "not GPX"),
    ("hello", "1:1", .unexpectedContent, "not XML"),
    ("<gpx>", "1:1", .truncated, "inside <gpx>"),
    ("<gpx></gpx><gpx></gpx>", "1:12", .syntax, "second root element"),
    ("<gpx></gpx> x", "1:13", .unexpectedContent, "follows the end"),
    ("<gpx><trk></gpx>", "1:11", .syntax, "does not match"),
    ("</gpx>", "1:1", .syntax, "has no opening tag"),
    ("<gpx></trk>", "1:6", .syntax, "reverse order"),
    ("<gpx><!-- never closed </gpx>", "1:6", .truncated, "comment"),
    ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx/>", "1:1", .unexpectedContent, "contains declarations"),
    ("<gpx a=b></gpx>", "1:8", .syntax, "a quote"),
    ("<gpx a=\"b</gpx>", "1:10", .syntax, "closing quote"),
    ("<gpx a></gpx>", "1:7", .syntax, "="),
    ("<gpx><1/></gpx>", "1:8", .syntax, "a name"),
    ("<gpx>&nbsp;</gpx>", "1:6", .unknownName, "nbsp"),
    ("<gpx>a & b and more</gpx>", "1:8", .syntax, "&amp;"),
    (document(point("2026-05-16T08:00:00Z", lat: "91")), "3:1", .value, "latitude 91.0"),
    (document(point("2026-05-16T08:00:00Z", lon: "nan")), "3:1", .type, "not a number"),
    (document("<trkpt lat=\"1\"><time>2026-05-16T08:00:00Z</time></trkpt>"), "3:1", .missing, "“lon”"),
    (document("<trkpt lat=\"1\" lon=\"2\"><ele>5</ele></trkpt>"), "3:1", .missing, "no time"),
    (document("<trkpt lat=\"1\" lon=\"2\"/>"), "3:1", .missing, "no time"),
    (document("<trkpt lat=\"1\" lon=\"2\"><ele>x</ele></trkpt>"), "3:30", .type, "not a number"),
    (document(point("yesterday")), "3:45", .value, "not a time"),
    (
      document(
        point("2026-05-16T08:00:01Z") + "\n" + point("2026-05-16T08:00:02Z") + "\n"
          + point("2026-05-16T08:00:01Z")),
      "5:1", .order, "decreases"
    ),
    (
      document(point("2026-05-16T08:00:01Z") + point("2026-05-16T08:00:00Z")), "3:71", .order,
      "before that of the first"
    ),
  ]

  @Test("wrong input gives an error with the location of the mistake", arguments: mistakes.indices)
  func wrongInput(index: Int) {
    let (text, place, code, words) = Self.mistakes[index]
    let error = #expect(throws: Problem.self) { try points(text, name: "a.gpx") }
    #expect(error?.code == code, "\(error?.description ?? "")")
    #expect(error?.place.text.description == place, "\(error?.description ?? "")")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("a file that is truncated at any byte gives an error, and never an incomplete point")
  func everyCut() throws {
    let text = Self.document(Self.point("2026-05-16T08:00:00Z") + Self.point("2026-05-16T08:00:07Z"))
    let all = try points(text, name: "a.gpx")
    let bytes = Array(text.utf8)
    for cut in 1..<bytes.count - 1 {
      var found: [TrackPoint] = []
      #expect(throws: Problem.self, "cut at \(cut)") {
        var reader = try TrackReader(bytes: Array(bytes[..<cut]), name: "a.gpx")
        while let point = try reader.next() { found.append(point) }
      }
      #expect(found == Array(all.prefix(found.count)))
    }
  }

  @Test("nine megabytes of open tags are rejected at the depth limit")
  func deep() {
    let text = "<gpx>" + String(repeating: "<a>", count: 3_000_000)
    let error = #expect(throws: Problem.self) { try points(text, name: "a.gpx") }
    #expect(error?.code == .depth)
  }

  @Test("a text without an end is rejected before it fills the memory")
  func longText() {
    let text = "<gpx><trk><name>" + String(repeating: "x", count: 1_000_000)
    let error = #expect(throws: Problem.self) { try points(text, name: "a.gpx") }
    #expect(error?.code == .size)
  }
}
