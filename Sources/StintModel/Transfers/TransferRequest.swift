import StintUnits

/// A network task of a client: a file to fetch or a file to send.
public struct TransferRequest: Hashable, Sendable, Codable {
  /// The operation, over HTTP.
  public enum Kind: Hashable, Sendable, Codable {
    /// Fetches an address into a file.
    case download(from: String)
    /// Sends a file to an address.
    case upload(file: String, to: String)
    /// Sends bytes from the memory of the client's process. Rejected, because the process may have ended by
    /// the time of sending.
    case uploadFromMemory(to: String)
  }

  /// The operation.
  public var kind: Kind
  /// The number of bytes to send, as estimated by the client.
  public var bytesUp: Int64
  /// The number of bytes to receive, as estimated by the client.
  public var bytesDown: Int64
  /// The maximum duration of the task from its start; nil for the session's window.
  public var window: Duration?
  /// True when the user waits for the task now. Such a task is never deferred.
  public var isUrgent: Bool

  enum CodingKeys: String, CodingKey {
    case kind, window
    case bytesUp = "bytes_up"
    case bytesDown = "bytes_down"
    case isUrgent = "urgent"
  }

  /// Makes a request.
  public init(
    _ kind: Kind, bytesUp: Int64 = 0, bytesDown: Int64 = 0, window: Duration? = nil, isUrgent: Bool = false
  ) {
    self.kind = kind
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.window = window
    self.isUrgent = isUrgent
  }

  /// The bytes in both directions.
  public var bytes: Int64 { bytesUp + bytesDown }
}
