public import StintUnits

/// Reads compiled time zones (TZif, RFC 9636), as systems keep them under `/usr/share/zoneinfo`.
///
/// Versions 1 to 4 and later ones that are laid out alike: the listed transitions, and the yearly rule after
/// them. Nothing is believed of the counts before it is checked that the file is that long.
public struct TimeZoneFileReader {
  /// More transitions than any place has seen.
  static let transitionLimit = 10_000

  private let bytes: [UInt8]
  private let source: String

  /// The rules that a file holds; `source` names it in errors.
  public static func rules(of bytes: [UInt8], source: String) throws(Problem) -> TimeZoneRules {
    try TimeZoneFileReader(bytes: bytes, source: source).rules()
  }

  private func rules() throws(Problem) -> TimeZoneRules {
    let first = try block(at: 0, timeSize: 4)
    guard first.version != 0 else { return try rules(first, tail: nil) }
    // Times have four bytes in the first part, which is for old readers, and eight in the second.
    let second = try block(at: first.end, timeSize: 8)
    return try rules(second, tail: try tail(at: second.end))
  }

  private func rules(_ block: TimeZoneFileBlock, tail: TimeZoneRules?) throws(Problem) -> TimeZoneRules {
    guard block.leapSeconds == 0 else {
      throw error(.value, "it counts leap seconds", "take the file of that name outside of “right”")
    }
    var offsets: [TimeSpan] = []
    for number in 0..<block.types {
      let seconds = integer(at: block.firstType + 6 * number, size: 4)
      guard abs(seconds) < 86_400 else {
        throw error(.value, "local time is \(seconds) s ahead, and a day or more cannot be")
      }
      offsets.append(.seconds(seconds))
    }
    guard var base = offsets.first else { throw error(.missing, "it says nothing of local time") }
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
        throw error(.value, "transition \(number + 1) is to type \(type) of \(offsets.count)")
      }
      let (nanoseconds, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      if !isBeyond {
        transitions.append(.init(instant: Instant(nanoseconds: nanoseconds), offset: offsets[type]))
      } else if seconds < 0 {
        // Longer ago than instants reach: it has always been so.
        base = offsets[type]
      }
    }
    if transitions.isEmpty, let tail { return tail }
    return TimeZoneRules(base: base, transitions: transitions, tail: tail)
  }

  /// The counts at a place, and where what they count stands; all of it is in the file.
  private func block(at start: Int, timeSize: Int) throws(Problem) -> TimeZoneFileBlock {
    guard start < bytes.count else {
      if bytes.isEmpty { throw error(.empty, "the file is empty") }
      throw cut
    }
    guard bytes[start...].prefix(4).elementsEqual("TZif".utf8.prefix(bytes.count - start)) else {
      throw error(.foreign, "this is no compiled time zone", "those begin with “TZif”")
    }
    guard start + TimeZoneFileBlock.headerSize <= bytes.count else { throw cut }
    let counts = (0..<6).map { Int(integer(at: start + 20 + 4 * $0, size: 4) & 0xffff_ffff) }
    let block = TimeZoneFileBlock(
      start: start, timeSize: timeSize, version: bytes[start + 4], leapSeconds: counts[2], times: counts[3],
      types: counts[4], letters: counts[5], flags: counts[0] + counts[1])
    guard block.version == 0 || block.version >= UInt8(ascii: "2") else {
      throw error(.version, "its version is byte \(block.version), and none is called that")
    }
    guard block.end <= bytes.count else { throw cut }
    guard block.times <= Self.transitionLimit else {
      throw error(.size, "it lists \(block.times) transitions, more than \(Self.transitionLimit)")
    }
    return block
  }

  /// The rule between two line ends; nil where nothing stands there.
  private func tail(at start: Int) throws(Problem) -> TimeZoneRules? {
    guard start < bytes.count else { throw cut }
    guard bytes[start] == 0x0a else { throw error(.syntax, "no line end stands before its rule") }
    guard let end = bytes[(start + 1)...].firstIndex(of: 0x0a) else { throw cut }
    let text = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    guard !text.isEmpty else { return nil }
    do throws(TimeZoneFault) {
      return try TimeZoneRules(text)
    } catch {
      throw self.error(.syntax, "its rule “\(text)” cannot be read: \(error.sentence)")
    }
  }

  /// A number with its sign, its highest byte first; the caller has seen to it that it is in the file.
  private func integer(at place: Int, size: Int) -> Int64 {
    let bits = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  private var cut: Problem { error(.cut, "the file ends before what it announces") }

  private func error(
    _ code: Problem.Code, _ cause: String, _ step: String = "install the time zones again"
  ) -> Problem {
    Problem(code, place: source, cause: cause, remedy: step)
  }
}

/// One of the two parts of a compiled time zone: its counts, and where what they count stands.
struct TimeZoneFileBlock {
  static let headerSize = 44

  var start: Int
  /// Bytes of a time.
  var timeSize: Int
  /// 0 for version 1, else a digit.
  var version: UInt8
  var leapSeconds: Int
  var times: Int
  var types: Int
  var letters: Int
  /// Flags for UTC and for standard time, one byte each.
  var flags: Int

  var firstTime: Int { start + Self.headerSize }
  /// A type has four bytes for its offset, and two that this reader does not use.
  var firstType: Int { firstTime + times * (timeSize + 1) }
  var end: Int { firstType + types * 6 + letters + leapSeconds * (timeSize + 4) + flags }
}
