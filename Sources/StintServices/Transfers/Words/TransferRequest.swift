import StintModel
public import StintUnits

/// One piece of network work that a client hands over: a file to fetch, or a file to send.
public struct TransferRequest: Hashable, Sendable {
  /// What is to be done, over HTTP.
  public enum Kind: Hashable, Sendable {
    /// Fetch this address into a file.
    case download(from: String)
    /// Send a file there.
    case upload(file: String, to: String)
    /// Send bytes that only the client's process holds; refused, because the process may be gone when they
    /// are sent.
    case uploadFromMemory(to: String)
  }

  public var kind: Kind
  /// As far as the client knows.
  public var bytesUp: Int64
  public var bytesDown: Int64
  /// How long it may take from its start; the session's window when nil.
  public var window: TimeSpan?
  /// Whether the user waits for it now, so that it is never deferred.
  public var isUrgent: Bool

  /// Makes a request.
  public init(
    _ kind: Kind, bytesUp: Int64 = 0, bytesDown: Int64 = 0, window: TimeSpan? = nil, isUrgent: Bool = false
  ) {
    self.kind = kind
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.window = window
    self.isUrgent = isUrgent
  }

  /// The most that one task may carry each way.
  static let mostBytes = InputBounds.bytes

  /// All bytes, both ways.
  public var bytes: Int64 { bytesUp + bytesDown }

  /// What is wrong with the request itself; nil when nothing is.
  var objection: ServiceFailure? {
    if case .uploadFromMemory = kind {
      return ServiceFailure(
        .invalid, "only files are sent while the client may be gone; write the bytes to one")
    }
    if bytesUp < 0 || bytesDown < 0 {
      return ServiceFailure(.invalid, "a transfer cannot have fewer than no bytes")
    }
    if max(bytesUp, bytesDown) > Self.mostBytes {
      return ServiceFailure(.invalid, "more than \(Self.mostBytes) bytes each way is no one task; split it")
    }
    if let window, window <= .zero {
      return ServiceFailure(.invalid, "the window is \(window); it must be longer than nothing")
    }
    return nil
  }
}
