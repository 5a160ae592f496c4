/// One attempt at a task.
public struct TransferExchange: Hashable, Sendable {
  public let task: String
  /// Counts a task's attempts from 1.
  public let attempt: Int
  /// The same for all attempts of a task, and of no other: a server that saw it before does nothing twice.
  public let key: String
  public let request: TransferRequest
  /// How many of the bytes are through already.
  public let offset: Int64
}
