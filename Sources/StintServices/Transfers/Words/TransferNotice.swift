/// What a session tells its client. For each task: any number of replies, then exactly one of finished and failed.
public enum TransferNotice: KeptNotice, Hashable {
  /// The task is kept, and outlives this process and the next.
  case accepted(String)
  /// The task was not taken.
  case refused(String, ServiceFailure)
  /// The task is put off, and why; told once for each reason.
  case waiting(String, TransferWait)
  /// The server's HTTP status.
  case reply(String, Int)
  /// Where the file lies; it is gone when the client's receiver returns, unless moved.
  case finished(String, file: String?)
  case failed(String, TransferFault)
  /// The server wants to know who asks; the task rests until `TransferCommand.credentials`.
  case credentialsNeeded(String)
  /// Nothing that was begun is left to do.
  case drained
  /// A likely mistake, with its code.
  case warning(String, String)

  public static let kind = "transfer"

  /// That a task is kept, and that it is over: it is neither lost nor done and told again after a restart.
  public var promisesKeeping: Bool {
    switch self {
    case .accepted, .finished, .failed: true
    default: false
    }
  }

  /// A file is the client's for as long as its receiver runs.
  public var consequence: (any ServiceOrder)? {
    if case .finished(_, let file?) = self { TransferOrder.discard(file) } else { nil }
  }
}

/// Why a task is not on its way.
public enum TransferWait: String, Hashable, Sendable {
  /// Neither Wi-Fi nor external power.
  case goodMoment = "good-moment"
  /// The link is too slow.
  case slowLink = "slow-link"
  /// It failed, and is tried again later.
  case retry
  /// Nothing better came; it goes now because its window ends.
  case forced
}
