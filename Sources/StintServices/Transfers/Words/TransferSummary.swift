public import StintModel
public import StintUnits

/// A session as a listing shows it.
public struct TransferSummary: Hashable, Sendable {
  public let owner: ClientID
  public let name: String
  /// Since it was made.
  public let age: TimeSpan
  /// Tasks that are not over.
  public let tasks: Int
  /// Bytes that are still to go.
  public let queuedBytes: Int64
}

extension ServiceBoard {
  /// All sessions of transfers, sorted by owner and name.
  public func transferSessions(at instant: Instant) -> [TransferSummary] {
    order.compactMap { id in
      guard let session = services[id]?.service as? TransferSession else { return nil }
      return TransferSummary(
        owner: id.client, name: id.name, age: instant - session.created, tasks: session.tasks.count,
        queuedBytes: session.tasks.reduce(0) { $0 + $1.bytesLeft })
    }
  }
}
