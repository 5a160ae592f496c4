import StintModel
import StintServices
import StintUnits

/// An action of a client of a swarm, of its user, or of the process that carries its transfers.
enum ClientAction: Sendable {
  /// Its process attaches, for the first time or again, and requests all its services again.
  case attach(ClientID)
  /// Its process is killed.
  case detach(ClientID)
  case authorize(ClientID, Authorization)
  /// It wants something from now on.
  case ask(ServiceID, any ServiceRequest)
  case end(ServiceID)
  case command(ServiceID, any ServiceCommand)
  /// An app publishes a fact, by its whole path, as scenarios spell its value.
  case fact(String, String)
}
