import StintRuntime
import StintTestSupport
import StintUnits
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the offsets of the C library through GNU `date`, which gets the time zone in its environment.
private enum SystemDate {
  static func output(_ command: String) -> String {
    guard let pipe = popen(command, "r") else { return "" }
    defer { pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte >= 0 { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True when zone files and the command exist.
  static let isHere =
    access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0
    && output("echo @0 | TZ=Europe/Berlin date -f - +%::z 2>/dev/null") == "+01:00:00\n"

  /// Returns the offsets of local time at given seconds since 1970.
  static func offsets(_ zone: String, _ seconds: [Int64]) -> [TimeSpan] {
    let lines = seconds.map { "@\($0)\n" }.joined()
    return output("TZ='\(zone)' date -f - +%::z <<'END'\n\(lines)END\n").split(separator: "\n").map { line in
      let parts = line.dropFirst().split(separator: ":").compactMap { Int64($0) }
      let size = parts.reduce(0) { $0 * 60 + $1 }
      return .seconds(line.hasPrefix("-") ? -size : size)
    }
  }
}

@Suite("Time zones of this system")
struct SystemTimeZoneTests {
  static let zones =
    [
      "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Nuuk", "America/Sao_Paulo",
      "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Chatham", "Pacific/Apia", "Antarctica/Troll",
      "Africa/Casablanca", "Asia/Kolkata", "Asia/Kathmandu", "Etc/GMT+5", "UTC",
    ] + TimeZoneYear.all.map(\.rule)

  @Test(
    "offsets match the C library at random times and around every change, for two centuries",
    .enabled(if: SystemDate.isHere, "no zone files in /usr/share/zoneinfo, or no GNU date: not compared"),
    arguments: zones)
  func offsets(zone: String) throws {
    let rules = try TimeZoneChoice.rules(zone)
    var random = SeededGenerator(seed: UInt64(zone.utf8.count))
    // The range is 1880 to 2105. For zones that are given as rules, the range begins in 1971, because the C
    // library does not apply rules to earlier years.
    let (first, last): (Int64, Int64) = (zone.contains(",") ? 31_536_000 : -2_840_140_800, 4_260_211_200)
    var seconds = Trials(3000, fewest: 100).rounds.map { _ in Int64.random(in: first...last, using: &random) }
    var instant = Instant.epoch + .seconds(first)
    var changes = 0
    while let next = rules.nextTransition(after: instant), next.instant < .epoch + .seconds(last) {
      let second = next.instant.nanoseconds / 1_000_000_000
      seconds += [second - 1, second]
      instant = next.instant
      changes += 1
    }
    let expected = SystemDate.offsets(zone, seconds)
    try #require(expected.count == seconds.count)
    let wrong = zip(seconds, expected).filter { rules.offset(at: .epoch + .seconds($0)) != $1 }
    #expect(wrong.isEmpty, "\(zone), \(changes) changes: \(wrong.prefix(3))")
  }
}
