import StintModel
import StintServices
import StintUnits

/// An action of a swarm's client or of its user.
enum ClientAction: Sendable {
  /// The client's process attaches, the first time or later, and requests its services that have not ended.
  case attach(ClientID)
  /// The client's process is killed.
  case detach(ClientID)
  case authorize(ClientID, Permissions)
  case ask(ServiceID, any ServiceRequest)
  case end(ServiceID)
  case command(ServiceID, any ServiceCommand)
  /// An app publishes a fact: the full path of the fact, and its value in the notation of scenario files.
  case fact(String, String)
}
