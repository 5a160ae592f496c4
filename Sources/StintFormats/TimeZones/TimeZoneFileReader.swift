public import StintUnits

/// Reads compiled time zones (TZif, RFC 9636), which systems store under `/usr/share/zoneinfo`.
///
/// Supports versions 1 to 4, and later versions with the same layout. This layout is a list of transitions,
/// and a yearly rule for the time after the list. Before a count in the file is used, the count is
/// compared with the size of the file.
public struct TimeZoneFileReader {
  /// The maximum number of transitions; every real time zone has fewer.
  static let transitionLimit = 10_000

  private let bytes: [UInt8]
  private let source: String

  /// Returns the rules in `bytes`; `source` is the name of the file in errors.
  ///
  /// - Throws: `Problem` when the bytes are not a valid time zone, or contain leap seconds.
  public static func rules(of bytes: [UInt8], source: String) throws(Problem) -> TimeZoneRules {
    try TimeZoneFileReader(bytes: bytes, source: source).rules()
  }

  private func rules() throws(Problem) -> TimeZoneRules {
    let first = try block(at: 0, timeSize: 4)
    guard first.version != 0 else { return try rules(first, tail: nil) }
    // The first part is for readers of version 1 and has times of four bytes; the second part has times of
    // eight bytes.
    let second = try block(at: first.end, timeSize: 8)
    return try rules(second, tail: try tail(at: second.end))
  }

  private func rules(_ block: TimeZoneFileBlock, tail: TimeZoneRules?) throws(Problem) -> TimeZoneRules {
    guard block.leapSeconds == 0 else {
      throw error(.value, "the file counts leap seconds", "use the file outside the folder “right”")
    }
    var offsets: [TimeSpan] = []
    for number in 0..<block.types {
      let seconds = integer(at: block.firstType + 6 * number, size: 4)
      guard abs(seconds) < 86_400 else {
        throw error(.value, "the UTC offset \(seconds) s is a day or more")
      }
      offsets.append(.seconds(seconds))
    }
    guard var base = offsets.first else { throw error(.missing, "the file contains no UTC offset") }
    var transitions: [TimeZoneRules.Transition] = []
    var before = Int64.min
    for number in 0..<block.times {
      let seconds = integer(at: block.firstTime + block.timeSize * number, size: block.timeSize)
      guard number == 0 || seconds > before else {
        throw error(.order, "transition \(number + 1) is not later than the one before it")
      }
      before = seconds
      let type = Int(bytes[block.firstTime + block.timeSize * block.times + number])
      guard type < offsets.count else {
        throw error(.value, "transition \(number + 1) has type \(type), but there are \(offsets.count) types")
      }
      let (nanoseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if !isBeyond {
        transitions.append(.init(instant: Instant(nanoseconds: nanoseconds), offset: offsets[type]))
      } else if seconds < 0 {
        // The transition is before the first representable instant, so its offset applies from the beginning.
        base = offsets[type]
      }
    }
    if transitions.isEmpty, let tail { return tail }
    return TimeZoneRules(base: base, transitions: transitions, tail: tail)
  }

  /// Returns the counts of the part at `start`. Throws an error when the part has another format, when the
  /// file is too short for these counts, or when there are too many transitions.
  private func block(at start: Int, timeSize: Int) throws(Problem) -> TimeZoneFileBlock {
    guard start < bytes.count else {
      if bytes.isEmpty { throw error(.empty, "the file is empty") }
      throw truncated
    }
    guard bytes[start...].prefix(4).elementsEqual("TZif".utf8.prefix(bytes.count - start)) else {
      throw error(
        .unexpectedContent, "this is not a compiled time zone", "use a file that begins with “TZif”")
    }
    guard start + TimeZoneFileBlock.headerSize <= bytes.count else { throw truncated }
    let counts = (0..<6).map { Int(integer(at: start + 20 + 4 * $0, size: 4) & 0xffff_ffff) }
    let block = TimeZoneFileBlock(
      start: start, timeSize: timeSize, version: bytes[start + 4], leapSeconds: counts[2], times: counts[3],
      types: counts[4], letters: counts[5], flags: counts[0] + counts[1])
    guard block.version == 0 || block.version >= UInt8(ascii: "2") else {
      throw error(.version, "unknown version byte \(block.version)")
    }
    guard block.end <= bytes.count else { throw truncated }
    guard block.times <= Self.transitionLimit else {
      throw error(.size, "the file has \(block.times) transitions, more than \(Self.transitionLimit)")
    }
    return block
  }

  /// Returns the rule between two line ends; nil when there is no text between them.
  private func tail(at start: Int) throws(Problem) -> TimeZoneRules? {
    guard start < bytes.count else { throw truncated }
    guard bytes[start] == 0x0a else { throw error(.syntax, "expected a line end before the rule") }
    guard let end = bytes[(start + 1)...].firstIndex(of: 0x0a) else { throw truncated }
    let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard !text.isEmpty else { return nil }
    do throws(Problem) {
      return try TimeZoneRules(text)
    } catch {
      throw self.error(.syntax, "the rule “\(text)” is wrong: \(error.cause)")
    }
  }

  /// Returns a signed big-endian integer. The caller guarantees that the file contains the integer.
  private func integer(at place: Int, size: Int) -> Int64 {
    let bits = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  private var truncated: Problem { error(.truncated, "the file is shorter than its header specifies") }

  private func error(
    _ code: Problem.Code, _ cause: String, _ remedy: String = "install the time zones again"
  ) -> Problem {
    Problem(code, place: source, cause: cause, remedy: remedy)
  }
}

/// One of the two parts of a compiled time zone: its counts, and the offsets of its arrays.
struct TimeZoneFileBlock {
  static let headerSize = 44

  var start: Int
  /// The size of a time in bytes.
  var timeSize: Int
  /// 0 for version 1, otherwise an ASCII digit.
  var version: UInt8
  var leapSeconds: Int
  /// The number of transitions.
  var times: Int
  /// The number of types, which contain the UTC offsets.
  var types: Int
  /// The number of bytes of all abbreviations.
  var letters: Int
  /// The number of flags for UTC and for standard time, one byte each.
  var flags: Int

  var firstTime: Int { start + Self.headerSize }
  /// The offset of the types. Each has four bytes of UTC offset and two bytes that this reader ignores.
  var firstType: Int { firstTime + times * (timeSize + 1) }
  var end: Int { firstType + types * 6 + letters + leapSeconds * (timeSize + 4) + flags }
}
