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
  var rejectionReason: ServiceFailure? {
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

/// How often and when work that failed for now is tried again: each wait twice the one before, and a part of it less
/// where many would otherwise come back at once.
public struct RetryPlan: Hashable, Sendable {
  public var first: TimeSpan
  public var cap: TimeSpan
  /// How many times at most.
  public var limit: Int
  /// How much shorter than that a wait may be, as a part of it: 0 for none, at most 0.5.
  public var jitter: Double
  /// What tells this installation from others; all chance comes from it.
  public var seed: UInt64

  /// The most that a wait may be shortened by.
  public static let mostJitter = 0.5

  /// Makes a plan: half a minute, doubling up to an hour, eight times, none of it left to chance, unless said
  /// otherwise.
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

  /// How long to wait after the given number of failures of a task; nil when that was the last try.
  ///
  /// With jitter the waits of one task are the same in every run, and those of many tasks or installations lie evenly
  /// between the least and the most that they may be.
  func wait(after failures: Int, of task: String) -> TimeSpan? {
    guard failures >= 1, failures <= limit else { return nil }
    let longest = failures > 40 ? cap : first.times(1 << (failures - 1), capped: cap)
    guard jitter > 0 else { return longest }
    let part = chance(task, failures) * min(jitter, Self.mostJitter)
    let less = Int64(exactly: (Double(longest.nanoseconds) * part).rounded(.towardZero)) ?? .max
    return longest - TimeSpan(nanoseconds: less)
  }

  /// What is wrong with it; nil when nothing is.
  var rejectionReason: String? {
    if first <= .zero || limit < 0 {
      return "retries need a wait longer than nothing, and at least none of them"
    }
    return (0...Self.mostJitter).contains(jitter)
      ? nil : "jitter lies between 0 and \(Self.mostJitter), not at \(jitter)"
  }

  /// A number from 0 up to 1, the same for the same task and try: FNV-1a over its bytes, then SplitMix64's last steps.
  private func chance(_ task: String, _ failures: Int) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in task.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash ^= seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(clamping: failures)
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return Double((hash ^ hash >> 31) >> 11) * 0x1p-53
  }
}
