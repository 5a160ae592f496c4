import StintFormats
import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

@Suite("Time zones by their names")
struct TimeZoneChoiceTests {
  /// Returns the rules of a name when only these files exist. Each file contains a fixed offset in hours.
  private static func rules(
    _ name: String, variable: String? = nil, files: [String: UInt8] = [:]
  ) throws(Problem) -> TimeZoneRules {
    let choice = TimeZoneChoice(variable: variable) { path throws(Problem) in
      guard let hours = files[path] else {
        throw Problem(.notFound, place: path, cause: "there is no such file")
      }
      return Self.file(hours)
    }
    return try choice.rules(name)
  }

  /// Returns a file of version 1 with a single local time type.
  private static func file(_ hours: UInt8) -> [UInt8] {
    let seconds = UInt32(hours) * 3600
    return Array("TZif".utf8) + Array(repeating: 0, count: 35) + [1, 0, 0, 0, 0]
      + (0..<4).reversed().map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) } + [0, 0]
  }

  @Test(
    "UTC with a number is a fixed offset, positive to the east",
    arguments: [
      ("UTC", 0), ("UTC+1", 60), ("UTC-3:30", -210), ("UTC+05:45", 345), ("UTC-11", -660), ("UTC+14", 840),
    ])
  func offsets(name: String, minutes: Int64) throws {
    #expect(try Self.rules(name) == .fixed(.minutes(minutes)))
  }

  @Test("a name is parsed as a rule before files are searched", arguments: TimeZoneYear.all)
  func rule(year: TimeZoneYear) throws {
    #expect(try Self.rules(year.rule) == TimeZoneRules(year.rule))
    #expect(try Self.rules("host", variable: year.rule) == TimeZoneRules(year.rule))
  }

  @Test("the rules of a zone name or an absolute path are read from a file")
  func files() throws {
    let files: [String: UInt8] = [
      "/usr/share/zoneinfo/Europe/Berlin": 1, "/opt/zone": 2, "/etc/localtime": 3,
    ]
    for (name, variable, hours) in [
      ("Europe/Berlin", nil, 1), ("/opt/zone", nil, 2), ("host", nil, 3), ("host", "Europe/Berlin", 1),
      ("host", ":Europe/Berlin", 1), ("host", "/opt/zone", 2), ("host", ":/opt/zone", 2), ("host", "", 0),
    ] as [(String, String?, Int64)] {
      #expect(try Self.rules(name, variable: variable, files: files) == .fixed(.hours(hours)))
    }
  }

  @Test("a host without a time zone uses UTC")
  func nothingSet() throws {
    #expect(try Self.rules("host") == .utc)
  }

  @Test(
    "invalid names of time zones are refused",
    arguments: [
      "", "Nowhere/AtAll", "UTC+24", "UTC+1:60", "UTC+", "UTC+1:2:3", "CET-1CEST", "CET-1CEST,M3.5.0",
      "../../etc/passwd", "a b", "/nowhere",
    ])
  func refusals(name: String) {
    do throws(Problem) {
      let rules = try Self.rules(name, files: ["/usr/share/zoneinfo/../../etc/passwd": 1])
      Issue.record("\(name) gives \(rules)")
    } catch {
      #expect(error.code == (name == "/nowhere" ? .notFound : .unknownName))
    }
  }

  @Test("an invalid TZ variable is an error", arguments: ["Nowhere/AtAll", "CET-1CEST,M3", "../zone"])
  func wrongVariable(variable: String) {
    #expect(throws: Problem.self) { try Self.rules("host", variable: variable) }
  }

  @Test("the host's own time zone can be read")
  func thisHost() throws {
    _ = try TimeZoneChoice.rules("host")
  }
}
