public import StintModel

/// What the board wants done, in this order.
public enum ServiceEffect: Sendable {
  /// Raise this demand with the governor.
  case raise(Demand)
  /// Release it.
  case release(DemandID)
  /// Wake the processor for a moment, on account of this demand.
  case wake(DemandID)
  /// Hand the client what its service says.
  case notice(ServiceID, any ServiceNotice)
  /// The request is accepted and its service begins; comes before all that the service says.
  case accepted(ServiceID)
  /// The service is over; comes once, behind all that the service says.
  case over(ServiceID, ServiceEnd)
  /// Do this in the client's place; what comes of it comes back as a command.
  case order(ServiceID, any ServiceOrder)
  /// Publish this fact: what services make of it has changed.
  case publish(String, FactValue)
  /// Tell the governor what services say, for policies to read.
  case say(ServiceSignal, FactValue)
  /// Whether a receiver reads the samples of this demand.
  case hear(DemandID, Bool)
  /// Start the client's process; it attaches when it is there.
  case launch(ClientID, LaunchReason)
  /// Show the user a sentence in the client's name.
  case tellUser(ClientID, String)
  /// The request was not accepted; nothing was powered.
  case refused(ServiceID, ServiceFailure)
}
