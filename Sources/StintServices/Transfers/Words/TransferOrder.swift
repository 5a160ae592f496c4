/// An order of a session to the process that carries transfers; in a radio's simulation, the server's side of
/// it.
public enum TransferOrder: ServiceOrder, Hashable {
  /// An attempt stands with the governor; carry it when the radio lets its demand go.
  case open(TransferExchange)
  /// The attempt's bytes are through: say what the server answers.
  case settle(TransferExchange)
  /// The attempt is over: for now, and what is through is kept, or for good.
  case close(TransferExchange, keepsPart: Bool)
  /// Remove this file, whole or not.
  case discard(String)
}
