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
