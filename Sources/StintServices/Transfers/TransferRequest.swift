import StintModel
public import StintUnits

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
  public var window: TimeSpan?
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
    _ kind: Kind, bytesUp: Int64 = 0, bytesDown: Int64 = 0, window: TimeSpan? = nil, isUrgent: Bool = false
  ) {
    self.kind = kind
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
    self.window = window
    self.isUrgent = isUrgent
  }

  /// The largest number of bytes that one task may transfer in each direction.
  static let mostBytes = InputBounds.bytes

  /// The bytes in both directions.
  public var bytes: Int64 { bytesUp + bytesDown }

  /// The reason to reject the request itself; nil when it is valid.
  var rejectionReason: ServiceFailure? {
    if case .uploadFromMemory = kind {
      return ServiceFailure(
        .invalid, "only files can be sent, because the client may be gone; write the bytes to a file")
    }
    if bytesUp < 0 || bytesDown < 0 {
      return ServiceFailure(.invalid, "the number of bytes is negative")
    }
    if max(bytesUp, bytesDown) > Self.mostBytes {
      return ServiceFailure(.invalid, "the task exceeds \(Self.mostBytes) bytes each way; split it")
    }
    if let window, window <= .zero {
      return ServiceFailure(.invalid, "the window is \(window); it must be above 0 s")
    }
    return nil
  }
}

/// One attempt at a task.
public struct TransferExchange: Hashable, Sendable, Codable {
  /// The name of the task.
  public let task: String
  /// The number of the attempt; the first attempt of a task has the number 1.
  public let attempt: Int
  /// The idempotency key, equal for all attempts of a task and different for each task. A server ignores a
  /// key that it has already processed.
  public let key: String
  /// The request of the task.
  public let request: TransferRequest
  /// The number of bytes that earlier attempts transferred.
  public let offset: Int64
}

/// When and how often failed work is retried.
///
/// Each wait is twice the previous wait. Jitter shortens the waits, so that many clients do not retry at the
/// same instant.
public struct RetryPlan: Hashable, Sendable, Codable {
  /// The wait before the first retry.
  public var first: TimeSpan
  /// The longest wait.
  public var cap: TimeSpan
  /// The largest number of retries.
  public var limit: Int
  /// The largest share by which a wait may be shortened: 0 for none, at most 0.5.
  public var jitter: Double
  /// A number that differs between installations. All jitter is derived from this number.
  public var seed: UInt64

  /// The largest valid jitter.
  public static let mostJitter = 0.5

  /// Makes a plan. By default, waits double from half a minute up to an hour, with eight retries and without
  /// jitter.
  public init(
    first: TimeSpan = .seconds(30), cap: TimeSpan = .hours(1), limit: Int = 8, jitter: Double = 0,
    seed: UInt64 = 0
  ) {
    self.first = first
    self.cap = cap
    self.limit = limit
    self.jitter = jitter
    self.seed = seed
  }

  /// Returns the wait after a number of failures of a task; nil after the last retry.
  ///
  /// With jitter, the waits of one task are equal in every run. The waits of many tasks or installations are
  /// uniformly distributed over the possible range.
  func wait(after failures: Int, of task: String) -> TimeSpan? {
    guard failures >= 1, failures <= limit else { return nil }
    let longest = failures > 40 ? cap : first.times(1 << (failures - 1), capped: cap)
    guard jitter > 0 else { return longest }
    let part = chance(task, failures) * min(jitter, Self.mostJitter)
    let less = Int64(exactly: (Double(longest.nanoseconds) * part).rounded(.towardZero)) ?? .max
    return longest - TimeSpan(nanoseconds: less)
  }

  /// The reason to reject the plan; nil when it is valid.
  var rejectionReason: String? {
    if first <= .zero || limit < 0 {
      return "the first wait must be above 0 s and the number of retries at least 0"
    }
    return (0...Self.mostJitter).contains(jitter)
      ? nil : "expected a jitter from 0 to \(Self.mostJitter), found \(jitter)"
  }

  /// Returns a number in 0..<1 that depends only on the task, the number of failures and the seed: FNV-1a
  /// over the bytes, then the final steps of SplitMix64.
  private func chance(_ task: String, _ failures: Int) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in task.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(clamping: failures)
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((hash ^ hash >> 31) >> 11) * 0x1p-53
  }
}
