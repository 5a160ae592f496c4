public import StintUnits

/// Records that never came into a journal because it could not be written; a record itself, where it goes on.
public struct JournalGap: Hashable, Sendable {
  /// The kind of records that tell of a gap. Writers use other kinds for what they mean themselves.
  public static let kind: UInt8 = 0xFF

  /// How many records are missing.
  public var records: Int64
  /// The instants of the first and the last of them.
  public var first: Instant
  public var last: Instant

  /// Makes a gap.
  public init(records: Int64, first: Instant, last: Instant) {
    self.records = records
    self.first = first
    self.last = last
  }

  /// The gap that a record tells of; nil when the record tells of something else.
  public init?(_ record: JournalRecord) {
    guard record.kind == Self.kind, record.payload.count == 24 else { return nil }
    let numbers = record.payload.withUnsafeBytes { bytes in
      [0, 8, 16].map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)) }
    }
    guard numbers[0] > 0 else { return nil }
    self.init(
      records: numbers[0], first: Instant(nanoseconds: numbers[1]), last: Instant(nanoseconds: numbers[2]))
  }

  /// What a record of the gap holds: three numbers of eight bytes.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    for number in [records, first.nanoseconds, last.nanoseconds] { JournalFormat.append(number, to: &bytes) }
    return bytes
  }

  /// This gap with one record more.
  func with(_ instant: Instant, records more: Int64 = 1) -> JournalGap {
    JournalGap(records: records + more, first: first, last: instant)
  }
}
