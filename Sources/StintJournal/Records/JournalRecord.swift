public import StintUnits

/// One record of a journal. Only the code that wrote it knows the meaning of kind and payload.
public struct JournalRecord: Hashable, Sendable {
  /// A number that tells records apart.
  public var kind: UInt8
  public var instant: Instant
  public var payload: [UInt8]

  /// Makes a record.
  public init(kind: UInt8, instant: Instant, payload: [UInt8]) {
    self.kind = kind
    self.instant = instant
    self.payload = payload
  }
}
