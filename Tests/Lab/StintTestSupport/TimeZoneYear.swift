public import StintUnits

/// A time zone as a rule, and the changes of its offset from UTC in 2026 according to almanacs.
public struct TimeZoneYear: Sendable, CustomStringConvertible {
  /// The rule in POSIX TZ format.
  public let rule: String
  /// The offset from UTC at the start of the year.
  public let offset: TimeSpan
  /// The instants of changes, and the offset from UTC after each change.
  public let changes: [(instant: Instant, offset: TimeSpan)]

  public var description: String { rule }

  init(_ rule: String, minutes: Int64, _ changes: [(seconds: Int64, minutes: Int64)]) {
    self.rule = rule
    offset = .minutes(minutes)
    self.changes = changes.map { (.epoch + .seconds($0.seconds), .minutes($0.minutes)) }
  }

  /// 2026-01-01T00:00:00Z.
  public static let start = Instant.epoch + .seconds(1_767_225_600)
  /// The number of minutes of the year.
  public static let minutes = 365 * 24 * 60

  public static let berlin = TimeZoneYear(
    "CET-1CEST,M3.5.0,M10.5.0/3", minutes: 60, [(1_774_746_000, 120), (1_792_890_000, 60)])
  public static let newYork = TimeZoneYear(
    "EST5EDT,M3.2.0,M11.1.0", minutes: -300, [(1_772_953_200, -240), (1_793_512_800, -300)])
  /// Summer time of half an hour, in the southern hemisphere.
  public static let lordHowe = TimeZoneYear(
    "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", minutes: 660, [(1_775_314_800, 630), (1_791_041_400, 660)])
  /// Clock changes at midnight, in the southern hemisphere.
  public static let santiago = TimeZoneYear(
    "<-04>4<-03>,M9.1.6/24,M4.1.6/24", minutes: -180, [(1_775_358_000, -240), (1_788_667_200, -180)])
  /// Clock changes at a negative hour.
  public static let nuuk = TimeZoneYear(
    "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", minutes: -120, [(1_774_746_000, -60), (1_792_890_000, -120)])
  /// Summer time of two hours.
  public static let troll = TimeZoneYear(
    "<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", minutes: 0, [(1_774_746_000, 120), (1_792_890_000, 0)])
  public static let kolkata = TimeZoneYear("IST-5:30", minutes: 330, [])

  /// All zones of the tests.
  public static let all = [berlin, newYork, lordHowe, santiago, nuuk, troll, kolkata]

  /// The local time in minutes since 1970-01-01, at each minute of the year.
  public var localMinutes: [Int64] {
    var minutes: [Int64] = []
    var ahead = offset.nanoseconds / 60_000_000_000
    let first = (Self.start - .epoch).nanoseconds / 60_000_000_000
    for change in changes + [(Self.start + .minutes(Int64(Self.minutes)), .zero)] {
      let next = (change.instant - Self.start).nanoseconds / 60_000_000_000
      for minute in Int64(minutes.count)..<next { minutes.append(first + minute + ahead) }
      ahead = change.offset.nanoseconds / 60_000_000_000
    }
    return minutes
  }
}
