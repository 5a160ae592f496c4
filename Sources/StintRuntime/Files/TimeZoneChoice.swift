import StintFormats
import StintSystem
public import StintUnits

/// A resolver that finds the rules of a time zone from its name: `host`, `UTC+5:30`,
/// `Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`.
public struct TimeZoneChoice {
  static let folder = "/usr/share/zoneinfo/"

  /// The value of the environment variable `TZ`; nil when it is unset.
  let variable: String?
  /// Returns the bytes of the file at a path.
  let file: (String) throws(Problem) -> [UInt8]

  /// Returns the rules of a time zone by its name.
  ///
  /// - `host`: the variable TZ, or else `/etc/localtime`; UTC when TZ is empty or neither exists.
  /// - `UTC`, `UTC+1`, `UTC-3:30`: a fixed offset from UTC, positive to the east.
  /// - a POSIX rule, whose offsets are positive to the west: `CET-1CEST,M3.5.0,M10.5.0/3`.
  /// - a name of the system's time zone database, or the absolute path of a time zone file.
  ///
  /// Throws when the name has a different form, or its file is missing or invalid.
  public static func rules(_ name: String) throws(Problem) -> TimeZoneRules {
    let choice = TimeZoneChoice(
      variable: getenv("TZ").map { String(cString: $0) },
      file: { path throws(Problem) in try WholeFile.bytes(of: path) })
    return try choice.rules(name)
  }

  func rules(_ name: String) throws(Problem) -> TimeZoneRules {
    if name == "host" { return try host() }
    do throws(Problem) {
      if let rules = try TimeZoneRules(distanceFromUTC: name) { return rules }
    } catch {
      throw unknown(name, error.cause)
    }
    return try named(name)
  }

  /// Interprets TZ as other programs do: a leading colon marks a file name. Without a colon, TZ may be a rule
  /// or a file name.
  private func host() throws(Problem) -> TimeZoneRules {
    guard let variable else {
      do throws(Problem) {
        return try read("/etc/localtime")
      } catch {
        guard error.code == .notFound else { throw error }
        return .utc
      }
    }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    return name.isEmpty ? .utc : try named(name)
  }

  private func named(_ name: String) throws(Problem) -> TimeZoneRules {
    let fault: Problem
    do throws(Problem) {
      return try TimeZoneRules(name)
    } catch {
      fault = error
    }
    if name.hasPrefix("/") { return try read(name) }
    guard !name.isEmpty, !name.split(separator: "/").contains(".."), name.utf8.allSatisfy(Self.isNameByte)
    else {
      throw unknown(name, "“\(name)” is not a time zone: \(fault.cause)")
    }
    do throws(Problem) {
      return try read(Self.folder + name)
    } catch {
      guard error.code == .notFound || error.code == .folder else { throw error }
      throw unknown(name, "no time zone of this name is in \(Self.folder)")
    }
  }

  private func read(_ path: String) throws(Problem) -> TimeZoneRules {
    try TimeZoneFileReader.rules(of: try file(path), source: path)
  }

  private func unknown(_ name: String, _ cause: String) -> Problem {
    Problem(
      .unknownName, place: name, cause: cause,
      remedy: "write host, UTC+1, a name such as Europe/Berlin, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3")
  }

  /// Returns true for letters, digits and `+-_/`.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    (65...90).contains(byte & 0xdf) && byte < 128 || (47...57).contains(byte)
      || [0x2b, 0x2d, 0x5f].contains(byte)
  }
}
