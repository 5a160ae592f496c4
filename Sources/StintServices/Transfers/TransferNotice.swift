public import StintModel
public import StintUnits

/// What a session tells its client. For each task: any number of replies, then exactly one of finished and failed.
public enum TransferNotice: PersistentNotice, Hashable {
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

/// A message to a session, from a client or from the process that carries its transfers.
public enum TransferCommand: ServiceCommand {
  /// A task under a name of the client's; it does nothing until it is resumed. A name that is known already is
  /// acknowledged again and otherwise ignored, so that a client that died in between can ask twice.
  case create(String, TransferRequest)
  /// Lets a task begin; twice is once.
  case resume(String)
  case cancel(String)
  /// The user waits for it now: it is deferred no more.
  case promote(String)
  /// The user gave the credentials that the server wanted.
  case credentials(String)
  /// How long tasks that are made from now on may take.
  case window(TimeSpan)
  /// Changes nothing: configurations are fixed when a session is made; the client is warned.
  case reconfigure(TransferConfiguration)
  /// The result of an attempt, from the process that carries it; reports of attempts that are over are
  /// ignored.
  case report(String, attempt: Int, TransferReport)

  public var isReport: Bool {
    if case .report = self { true } else { false }
  }
}

/// A report of the process that carries a transfer.
public enum TransferReport: Hashable, Sendable {
  /// The number of bytes of the whole that are through.
  case progress(Int64)
  /// The server answered with this HTTP status.
  case reply(Int)
  /// All is through; where the fetched file lies.
  case finished(file: String?)
  case failed(TransferFault)
}

/// Why a transfer failed: a kind, and whether trying again may help.
public struct TransferFault: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let isTransient: Bool

  /// Names a kind; later versions may add kinds.
  public init(_ name: String, isTransient: Bool = false) {
    self.name = name
    self.isTransient = isTransient
  }

  /// The connection broke, or never stood.
  public static let connection = TransferFault("connection", isTransient: true)
  /// The server has trouble of its own.
  public static let server = TransferFault("server", isTransient: true)
  /// The server will not have it: no such thing, not allowed.
  public static let rejected = TransferFault("rejected")
  /// The file to send is not there any more.
  public static let bodyGone = TransferFault("body-gone")
  /// There is no room for what was fetched.
  public static let diskFull = TransferFault("disk-full")
  /// Its window ended.
  public static let expired = TransferFault("expired")
  /// The client does not want it any more.
  public static let cancelled = TransferFault("cancelled")

  public var description: String { name }
}

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
