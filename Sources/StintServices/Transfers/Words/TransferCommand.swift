public import StintUnits

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
