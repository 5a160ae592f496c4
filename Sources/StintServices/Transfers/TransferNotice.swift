public import StintModel
public import StintUnits

/// A notice of a session to its client. An accepted task gets any number of `waiting`, `reply` and
/// `credentialsNeeded` notices, then exactly one `finished` or `failed`.
public enum TransferNotice: PersistentNotice, Hashable {
  /// The task is saved and survives restarts.
  case accepted(String)
  /// The task was not accepted. Only notices that an earlier version has saved have this case: `create` and
  /// `start` throw.
  case refused(String, ServiceFailure)
  /// The task is deferred, or forced to start, for this reason. The notice is sent when the reason changes
  /// and after each failed attempt.
  case waiting(String, TransferWait)
  /// The HTTP status of the server's answer, unless the status leads to a retry or to `credentialsNeeded`.
  case reply(String, Int)
  /// The task is complete. `file` is the path of the fetched file; nil for an upload. An order to remove the
  /// file follows the notice, so the client must move the file while it handles the notice.
  case finished(String, file: String?)
  /// The task has ended without success, and is not retried.
  case failed(String, TransferFault)
  /// The server requests credentials. The task waits for `TransferCommand.credentials`.
  case credentialsNeeded(String)
  /// All tasks that were started have ended or wait for credentials.
  case drained
  /// A warning of a probable mistake: a code and a sentence.
  case warning(String, String)

  public static let kind = "transfer"

  /// True when the notice reports that a task was accepted or has ended. A restart must neither lose nor
  /// repeat such a notice.
  public var promisesPersistence: Bool {
    switch self {
    case .accepted, .finished, .failed: true
    default: false
    }
  }

  /// The order to remove a fetched file, carried out after the client received the notice. The client must
  /// have moved the file by then.
  public var consequence: (any ServiceOrder)? {
    if case .finished(_, let file?) = self { TransferOrder.discard(file) } else { nil }
  }
}

/// The reason why a task is not in progress, or why it starts without a good moment.
public enum TransferWait: String, Hashable, Sendable, Codable {
  /// The task waits for Wi-Fi, or for external power when the session may use the cellular radio.
  case goodMoment = "good-moment"
  /// The link is too slow.
  case slowLink = "slow-link"
  /// An attempt failed; the task is retried later.
  case retry
  /// No good moment occurred. The task starts now, because its window or the window of another task ends
  /// soon.
  case forced
  /// No radio may carry the transfers: no radio exists, or all radios are metered and the session excludes
  /// metered radios.
  case noRadio = "no-radio"
  /// The plugin that moves the bytes is not available.
  case noCarrier = "no-carrier"
}

/// A message to a session, from a client or from the process that carries its transfers.
///
/// When the session has no open task of this name, `resume`, `cancel`, `promote` and `credentials` are
/// refused with the code `over`. `create` and `start` are refused with the code `invalid` for an invalid
/// name or request, and with `full` for a new task when 10,000 tasks are open.
public enum TransferCommand: ServiceCommand {
  /// Creates a task under a name of the client's choice. The task does nothing until it is resumed.
  ///
  /// A known name is acknowledged again and has no other effect, so that a restarted client can repeat the
  /// command.
  case create(String, TransferRequest)
  /// Creates a task and starts it at once, as `create` and then `resume` do.
  case start(String, TransferRequest)
  /// Allows a task to start. Repeating the command has no effect.
  case resume(String)
  /// Ends a task, which fails as `cancelled`.
  case cancel(String)
  /// The user waits for the task now, so the task is no longer deferred.
  case promote(String)
  /// The user provided the credentials that the server requested.
  case credentials(String)
  /// Sets the maximum duration of tasks that are created from now on and whose request contains no window.
  case window(Duration)
  /// Has no effect: the configuration of a session cannot change. The client gets a warning.
  case reconfigure(TransferConfiguration)
  /// The result of an attempt, from the process that carries the attempt. Reports of ended attempts are
  /// ignored.
  case report(String, attempt: Int, TransferReport)

  public var isReport: Bool {
    if case .report = self { true } else { false }
  }
}

/// A summary of a session for listings.
public struct TransferSummary: Hashable, Sendable {
  /// The client of the session.
  public let owner: ClientID
  /// The name of the session.
  public let name: String
  /// The time since the session was created.
  public let age: Duration
  /// The number of tasks that have not ended.
  public let tasks: Int
  /// The number of bytes still to transfer.
  public let queuedBytes: Int64
}

extension ServiceBoard {
  /// Returns all sessions of transfers, sorted by owner and name.
  public func transferSessions(at instant: Instant) -> [TransferSummary] {
    table.order.compactMap { (table[$0]?.service as? TransferSession)?.summary($0, at: instant) }
  }
}
