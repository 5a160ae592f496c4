import StintModel
import StintServices
import StintUnits

/// Something that a client of a swarm, its user, or whoever carries its transfers does.
enum CrowdAct: Sendable {
  /// Its process comes, for the first time or again, and asks anew for all that it wants.
  case attach(ClientID)
  /// Its process is killed.
  case detach(ClientID)
  case authorize(ClientID, Authorization)
  /// It wants something from now on.
  case ask(ServiceID, any ServiceRequest)
  case end(ServiceID)
  case command(ServiceID, any ServiceCommand)
  /// Somebody publishes a fact, by its whole path, as scenarios spell its value.
  case fact(String, String)
}
