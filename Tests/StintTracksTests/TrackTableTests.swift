import StintModel
import StintUnits
import Testing

@testable import StintTracks

/// Reads all points of a track in memory; `name` gives the format.
func points(_ text: String, name: String) throws(Problem) -> [TrackPoint] {
  var reader = try TrackReader(bytes: Array(text.utf8), name: name)
  var points: [TrackPoint] = []
  while let point = try reader.next() { points.append(point) }
  return points
}

@Suite("Tracks as tables")
struct TrackTableTests {
  @Test("rows become points; empty fields are nil")
  func rows() throws {
    let found = try points(
      "t_s,lat,lon,alt_m,speed_mps,accuracy_m,label\n0,45.25,14.5,753.3,,,walk\n1.5,45.26,14.5,,1.25,8,\n",
      name: "a.csv")
    let first = try #require(Coordinate(latitude: 45.25, longitude: 14.5))
    let second = try #require(Coordinate(latitude: 45.26, longitude: 14.5))
    #expect(
      found == [
        TrackPoint(time: .zero, position: first, altitude: 753.3, label: "walk"),
        TrackPoint(time: .milliseconds(1500), position: second, speed: 1.25, accuracy: 8),
      ])
  }

  @Test(
    "columns have any order, unknown columns are ignored, fields can be quoted; lines end with LF or CRLF")
  func layouts() throws {
    let plain = try points("t_s,lat,lon,label\n7,1,2,a b\n9,1,2,c\n", name: "a.csv")
    let variants = [
      "lon,other,label,lat,t_s\r\n2,x,a b,1,7\r\n2,,c,1,9\r\n",
      "\u{FEFF}t_s,lat,lon,label\n\n7,1,2,\"a b\"\n\n9 , 1 ,\t2, c",
      "\"t_s\",\"lat\",lon,label\n\"7\",+1.0,2e0,a b\n9.000,01,2.,\"c\"\n",
    ]
    for variant in variants { #expect(try points(variant, name: "a.csv") == plain) }
    let quoted = try points("t_s,lat,lon,label\n7,1,2,\"say \"\"a, b\"\"\"\n", name: "a.csv")
    #expect(quoted.first?.label == "say \"a, b\"")
  }

  @Test("a table with only the line of names has no points")
  func onlyNames() throws {
    #expect(try points("t_s,lat,lon\n", name: "a.csv") == [])
  }

  /// Wrong files, with the location, the column, the code and a part of the message.
  static let mistakes: [(String, String, String, Problem.Code, String)] = [
    ("", "0:0", "", .empty, "no content"), ("\n\n", "0:0", "", .empty, "no content"),
    ("t_s,lon\n", "1:1", "lat", .missing, "found: t_s, lon"),
    ("t_s,latt,lon\n", "1:1", "lat", .missing, "rename the column “latt”"),
    ("time,latitude,longitude\n", "1:1", "t_s", .missing, "found: time, latitude, longitude"),
    ("t_s;lat;lon\n1;2;3\n", "1:1", "t_s", .missing, "commas"),
    ("1,2,3\n", "1:1", "t_s", .missing, "first line must contain"),
    ("t_s,lat,lat,lon\n", "1:1", "", .duplicate, "two columns"),
    ("t_s,lat,lon\n1,2,3\n0,2,3\n", "3:1", "t_s", .order, "decreases by 1 s"),
    ("t_s,lat,lon\n-1,2,3\n", "2:1", "t_s", .value, "negative"),
    ("t_s,lat,lon\n1e99,2,3\n", "2:1", "t_s", .value, "too large"),
    ("t_s,lat,lon\n1,nan,3\n", "2:3", "lat", .value, "not a finite number"),
    ("t_s,lat,lon\n1,2,-Infinity\n", "2:5", "lon", .value, "not a finite number"),
    ("t_s,lat,lon\n1,1e400,3\n", "2:3", "lat", .type, "not a number"),
    ("t_s,lat,lon\n1,91,3\n", "2:3", "lat", .value, "latitude 91.0 is out of range"),
    ("t_s,lat,lon\n1,2,180.5\n", "2:5", "lon", .value, "longitude 180.5"),
    ("t_s,lat,lon\n1,abc,3\n", "2:3", "lat", .type, "“abc” is not a number"),
    ("t_s,lat,lon\n1,0x1p3,3\n", "2:3", "lat", .type, "is not a number"),
    ("t_s,lat,lon\n1,,3\n", "2:3", "lat", .missing, "empty"),
    ("t_s,lat,lon,speed_mps\n1,2,3,-1\n", "2:7", "speed_mps", .value, "negative"),
    ("t_s,lat,lon\n1,2\n1,2,3\n", "2:1", "", .syntax, "2 fields"),
    ("t_s,lat,lon\n1,2,3,4\n", "2:1", "", .syntax, "4 fields"),
    ("t_s,lat,lon\n1,2,3\n2,4", "3:1", "", .truncated, "2 of 3 fields"),
    ("t_s,lat,lon\n1,\"2,3\n1,2,3\n", "2:1", "", .syntax, "not closed"),
    ("t_s,lat,lon\n1,2,\"3", "2:1", "", .truncated, "not closed"),
    ("t_s,lat,lon\n1,\"2\"x,3\n", "2:1", "", .syntax, "follows"),
    ("label,t_s,lat,lon\nété,x,2,3\n", "2:5", "t_s", .type, "is not a number"),
    ("\u{0}\u{1}\u{2}", "0:0", "", .unexpectedContent, "not a text"),
  ]

  @Test("wrong input gives an error with line, column and remedy", arguments: mistakes.indices)
  func wrongInput(index: Int) {
    let (text, place, path, code, words) = Self.mistakes[index]
    let error = #expect(throws: Problem.self) { try points(text, name: "a.csv") }
    #expect(error?.code == code)
    #expect(error?.place.text.description == place)
    #expect(error?.place.part == path)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("transfers are read with and without deadlines")
  func transfers() throws {
    var reader = try TransferReader(
      LineSource(
        text: "t_s,bytes_up,bytes_down,deadline_s,kind\n1,20,3000,60,mail\n2,0,1,0,\n3,1,0,,x\n",
        name: "n.csv"))
    var records: [TransferRecord] = []
    while let record = try reader.next() { records.append(record) }
    #expect(
      records == [
        TransferRecord(
          time: .seconds(1), transfer: Transfer(bytesUp: 20, bytesDown: 3000, deadline: .seconds(60)),
          kind: "mail"),
        TransferRecord(time: .seconds(2), transfer: Transfer(bytesUp: 0, bytesDown: 1, deadline: .zero)),
        TransferRecord(time: .seconds(3), transfer: Transfer(bytesUp: 1, bytesDown: 0), kind: "x"),
      ])
  }

  @Test("numbers of bytes must be non-negative integers", arguments: ["-1", "1.5", "x", ""])
  func byteCounts(text: String) throws {
    let error = #expect(throws: Problem.self) {
      var reader = try TransferReader(
        LineSource(text: "t_s,bytes_up,bytes_down\n1,2,\(text)\n", name: "n.csv"))
      _ = try reader.next()
    }
    #expect(error?.place.part == "bytes_down")
    #expect(error?.place.text == TextLocation(line: 2, column: 5))
  }

  @Test("accelerations are read; other columns are ignored")
  func motion() throws {
    var reader = try MotionReader(
      LineSource(text: "t_s,ax,ay,az,gx,label\n0.02,0.5,-1,9.81,7,walk\n", name: "m.csv"))
    let point = try reader.next()
    #expect(point == MotionPoint(time: .milliseconds(20), x: 0.5, y: -1, z: 9.81, label: "walk"))
    #expect(try reader.next() == nil)
  }
}
