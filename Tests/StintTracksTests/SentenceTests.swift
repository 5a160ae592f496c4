import StintModel
import StintUnits
import Testing

@testable import StintTracks

@Suite("Tracks as NMEA sentences")
struct SentenceTests {
  static func sentence(_ body: String) -> String {
    let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
    return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)"
  }

  static func minimum(_ time: String, _ date: String, lat: String = "4530.000,N", status: String = "A")
    -> String
  {
    sentence("GPRMC,\(time),\(status),\(lat),00815.000,W,19.438,90.0,\(date),,,A")
  }

  static func fix(_ time: String, quality: String = "1", altitude: String = "545.4") -> String {
    sentence("GNGGA,\(time),4530.000,N,00815.000,W,\(quality),08,0.9,\(altitude),M,46.9,M,,")
  }

  private static func read(_ lines: [String]) throws(Problem) -> [TrackPoint] {
    try points(lines.joined(separator: "\r\n") + "\r\n", name: "a.nmea")
  }

  @Test("sentences with equal times (an epoch) give one point, in any order")
  func epochs() throws {
    let found = try Self.read([
      "# a comment", Self.minimum("120000.00", "160526"), Self.fix("120000.00"),
      Self.sentence("GPGSV,1,1,00"), "!AIVDM,1,1,,B,13aDp<PP000IwSlN?Wm@0?wN2<1T,0*29", "$PMTK001,314,3*36",
      Self.fix("120001.50", altitude: ""), Self.minimum("120001.50", "160526"), "",
      "$GPGSA,A,3,11,32,14,28,22,03,10,08,17,,,,2.02,1.03,1.74*00", Self.fix("120003"),
    ])
    #expect(found.map(\.time) == [.zero, .milliseconds(1500), .seconds(3)])
    #expect(found.map(\.altitude) == [545.4, nil, 545.4])
    #expect(found[0].position == Coordinate(latitude: 45.5, longitude: -8.25))
    #expect(abs((found[0].speed ?? 0) - 10) < 0.001)
    #expect(found[2].speed == nil)
  }

  @Test("epochs without a fix are skipped")
  func void() throws {
    let found = try Self.read([
      "$GPRMC,,V,,,,,,,,,,N*53", "$GPGGA,,,,,,0,,,,M,,M,,*66", Self.minimum("120000", "160526", status: "V"),
      Self.fix("120000"), Self.fix("120001", quality: "0"), Self.minimum("120001", "160526"),
      Self.minimum("120002", "160526"),
    ])
    #expect(found.count == 1)
  }

  @Test("a track across midnight is read with and without dates")
  func midnight() throws {
    let dated = try Self.read([
      Self.minimum("235959", "311225"), Self.fix("235959"), Self.fix("000001"),
      Self.minimum("000001", "010126"),
    ])
    #expect(dated.map(\.time) == [.zero, .seconds(2)])
    let undated = try Self.read([
      Self.fix("235959"), Self.fix("000001"), Self.fix("235959"), Self.fix("000000"),
    ])
    #expect(undated.map(\.time) == [.zero, .seconds(2), .hours(24), .hours(24) + .seconds(1)])
    let lateDate = try Self.read([
      Self.fix("235959"), Self.fix("000001"), Self.minimum("000002", "010126"),
      Self.minimum("000003", "030126"),
    ])
    #expect(lateDate.map(\.time) == [.zero, .seconds(2), .seconds(3), .hours(48) + .seconds(4)])
  }

  /// Wrong sentences, with the line, the code and a part of the message.
  static let mistakes: [([String], Int, Problem.Code, String)] = [
    ([fix("120000"), "$GPRMC,120000.00,A,4530.000,N,00815.000,W,1,2,160526,,,A*00"], 2, .checksum, "is not"),
    (
      [fix("120000"), "$GPRMC,120000.00,A,4530.000,N,00815.000,W,1,2,160526,,,A"], 2, .checksum, "no checksum"
    ),
    (["$GPRNC,120000.00,A,4530.000,N,00815.000,W,1,2,160526,,,A*00"], 1, .checksum, "is not"),
    ([fix("120000"), fix("110000")], 2, .order, "decreases by 1 h"),
    ([minimum("120000", "160526"), minimum("120001", "150526")], 2, .order, "decreases"),
    ([minimum("120000", "160526", lat: "9130.000,N")], 1, .value, "latitude 91.5"),
    ([minimum("120000", "160526", lat: "4575.000,N")], 1, .value, "minutes of arc"),
    ([minimum("120000", "160526", lat: "45x0.000,N")], 1, .type, "not a number"),
    ([minimum("120000", "160526", lat: ",")], 1, .missing, "no latitude"),
    ([minimum("120000", "160526", lat: "4530.000,E")], 1, .value, "neither N nor S"),
    ([minimum("250000", "160526")], 1, .value, "not a time of day"),
    ([minimum("", "160526")], 1, .missing, "no time"),
    ([minimum("120000", "161326")], 1, .value, "not a date"),
    ([sentence("GPRMC,120000,A")], 1, .syntax, "fields"),
    (["hello"], 1, .unexpectedContent, "not an NMEA sentence"),
    (["$\u{1}\u{2}\u{3}\u{4}\u{5}"], 1, .unexpectedContent, "not an NMEA sentence"),
    (["# only a comment"], 0, .empty, "no RMC or GGA sentence"),
  ]

  @Test("wrong input gives an error with the line of the mistake", arguments: mistakes.indices)
  func wrongInput(index: Int) {
    let (lines, line, code, words) = Self.mistakes[index]
    let error = #expect(throws: Problem.self) { try Self.read(lines) }
    #expect(error?.code == code, "\(error?.description ?? "")")
    #expect(error?.place.text.line == line)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("a log truncated inside its last sentence is an error; a log truncated between sentences is valid")
  func truncated() throws {
    let first = Self.minimum("120000", "160526") + "\n"
    let second = Self.minimum("120001", "160526")
    #expect(try points(first + second, name: "a.nmea").count == 2)
    for length in 1..<second.utf8.count {
      let error = #expect(throws: Problem.self) {
        try points(first + second.prefix(length), name: "a.nmea")
      }
      #expect(error?.code == .truncated)
    }
  }

  @Test(
    "a file of unknown format is rejected", arguments: ["hello\n", "# x\n\u{1},\n", "one two three\n"])
  func noForm(text: String) {
    let error = #expect(throws: Problem.self) { try points(text, name: "a.log") }
    #expect(error?.code == .unexpectedContent)
  }

  @Test("the extension gives the format; without a known extension, the first bytes give the format")
  func forms() throws {
    let table = "t_s,lat,lon\n0,1,2\n"
    let log = "# comment\n" + Self.fix("120000") + "\n"
    let document = TrackMarkupTests.document(TrackMarkupTests.point("2026-05-16T08:00:00Z"))
    let cases: [(String, String, TrackFormat)] = [
      (table, "a.csv", .csv), (table, "-", .csv), (table, "a.txt", .csv), (log, "a.log", .nmea),
      (log, "a", .nmea),
      (log, "A.NMEA", .nmea), (document, "a.GPX", .gpx), (document, "standard input", .gpx),
      ("\u{FEFF}\n  " + document, "x", .gpx),
    ]
    for (text, name, format) in cases {
      let reader = try TrackReader(bytes: Array(text.utf8), name: name)
      #expect(reader.format == format, "\(name)")
    }
  }
}
