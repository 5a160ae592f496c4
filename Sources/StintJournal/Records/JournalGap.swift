public import StintUnits

/// A number of records that were lost because the journal could not be written. The journal records the gap
/// when it continues.
public struct JournalGap: Hashable, Sendable {
  /// The kind of a gap record. Writers must not use this kind for other records.
  public static let kind: UInt8 = 0xFF

  /// The number of lost records.
  public var records: Int64
  /// The instant of the first lost record.
  public var first: Instant
  /// The instant of the last lost record.
  public var last: Instant

  /// Creates a gap.
  public init(records: Int64, first: Instant, last: Instant) {
    self.records = records
    self.first = first
    self.last = last
  }

  /// Decodes a gap record. Nil when the record is of another kind or invalid.
  public init?(_ record: JournalRecord) {
    guard record.kind == Self.kind, record.payload.count == 24 else { return nil }
    let numbers = record.payload.withUnsafeBytes { bytes in
      [0, 8, 16].map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self)) }
    }
    guard numbers[0] > 0 else { return nil }
    self.init(
      records: numbers[0], first: Instant(nanoseconds: numbers[1]), last: Instant(nanoseconds: numbers[2]))
  }

  /// The payload of the gap record: three integers of eight bytes.
  var payload: [UInt8] {
    var bytes: [UInt8] = []
    for number in [records, first.nanoseconds, last.nanoseconds] { JournalFormat.append(number, to: &bytes) }
    return bytes
  }

  /// Returns this gap, extended by `more` records. `instant` is the instant of the last of these records.
  func with(_ instant: Instant, records more: Int64 = 1) -> JournalGap {
    JournalGap(records: records + more, first: first, last: instant)
  }
}
