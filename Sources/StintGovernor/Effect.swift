public import StintModel

/// An action that the governor requests from its host, or an event that it reports to its host. Devices are
/// indexes into the vocabulary. The host performs the effects of a step in their order.
public enum Effect: Hashable, Sendable {
  /// Send this setting to the device. The device reports an outcome afterwards.
  case set(device: Int, Setting)
  /// Make the device deliver the samples that it holds.
  case drain(device: Int, DeliveryReason)
  /// Make the radio start the transfers of these demands.
  case carry(device: Int, [DemandID], DeliveryReason)
  /// Read the source, because its facts can change a decision. The source publishes all its facts.
  case read(device: Int)
  /// Wake the processor briefly; at most once per step. `device` is the index of the processor.
  case wakeProcessor(device: Int)
  /// Send the client the new grant of its demand.
  case grant(Demand, Grant)
  /// Notify the client that its demand has ended.
  case ended(Demand)
  /// Perform a one-time action of a rule.
  case act(RuleID, Act)
  /// Start a service for a rule.
  case began(RuleService)
  /// Stop a service that a rule had requested.
  case ceased(RuleService)
  /// A state machine of a policy entered a state.
  case moved(machine: String, state: String)
  /// An input was rejected. The string gives the reason.
  case refused(String)
  /// A device reported a fault. The string is a sentence with the device and the reason.
  case faulted(device: Int, String)
}
