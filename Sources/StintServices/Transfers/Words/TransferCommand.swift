public import StintUnits

/// What a client, or whoever carries in its place, tells a session.
public enum TransferCommand: ServiceCommand {
  /// A task under a name of the client's; it does nothing until it is resumed. A name that is known already is
  /// acknowledged again and otherwise ignored, so that a client that died in between can ask twice.
  case create(String, TransferRequest)
  /// Lets a task begin; twice is once.
  case resume(String)
  case cancel(String)
  /// Somebody waits for it now: it is put off no more.
  case promote(String)
  /// The user gave the credentials that the server wanted.
  case credentials(String)
  /// How long tasks that are made from now on may take.
  case window(TimeSpan)
  /// Changes nothing: configurations are fixed when a session is made; the client is warned.
  case reconfigure(TransferConfiguration)
  /// What became of an attempt, from whoever carries it; reports of attempts that are over are ignored.
  case report(String, attempt: Int, TransferReport)

  public var isReport: Bool {
    if case .report = self { true } else { false }
  }
}

/// What whoever carries a transfer says of it.
public enum TransferReport: Hashable, Sendable {
  /// So many bytes of the whole are through.
  case progress(Int64)
  /// The server answered with this HTTP status.
  case reply(Int)
  /// All is through; where the fetched file lies.
  case finished(file: String?)
  case failed(TransferFault)
}
