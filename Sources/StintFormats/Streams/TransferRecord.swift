public import StintModel
public import StintUnits

/// One line of a recorded stretch of traffic: something to carry, and when it came up.
public struct TransferRecord: Hashable, Sendable {
  /// Since the start of the record; never falls.
  public var time: TimeSpan
  /// The deadline counts from `time`; zero means at once.
  public var transfer: Transfer
  /// What it was, in the words of the source: `chat`, `mail`.
  public var kind: String?

  /// Makes a record.
  public init(time: TimeSpan, transfer: Transfer, kind: String? = nil) {
    self.time = time
    self.transfer = transfer
    self.kind = kind
  }
}
