/// One attempt to perform a transfer task.
public struct TransferExchange: Hashable, Sendable {
  /// The name of the task.
  public let task: String
  /// The number of the attempt; the first attempt of a task has the number 1.
  public let attempt: Int
  /// The idempotency key, equal for all attempts of a task and different for each task. A server ignores a
  /// request with a key that it has already processed.
  public let key: String
  /// The request of the task.
  public let request: TransferRequest
  /// The number of bytes that earlier attempts transferred.
  public let offset: Int64

  /// Makes an attempt.
  public init(task: String, attempt: Int, key: String, request: TransferRequest, offset: Int64) {
    self.task = task
    self.attempt = attempt
    self.key = key
    self.request = request
    self.offset = offset
  }
}
