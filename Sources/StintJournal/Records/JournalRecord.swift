public import StintUnits

/// One record of a journal. The writer and its readers define the meaning of kind and payload.
public struct JournalRecord: Hashable, Sendable {
  /// The type of the record. 254 and 255 are reserved for `JournalSegments` and `JournalGap`.
  public var kind: UInt8
  /// The time of the record, as passed to the writer.
  public var instant: Instant
  /// The content, at most `JournalFormat.payloadLimit` bytes.
  public var payload: [UInt8]

  /// Creates a record.
  public init(kind: UInt8, instant: Instant, payload: [UInt8]) {
    self.kind = kind
    self.instant = instant
    self.payload = payload
  }
}
