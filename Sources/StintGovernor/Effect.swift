public import StintModel

/// What the governor wants done; devices by their number in the vocabulary. In the order in which to do it.
public enum Effect: Hashable, Sendable {
  /// Tell the device this; it answers with an outcome.
  case set(device: Int, Setting)
  /// Have the device hand over the samples it holds.
  case drain(device: Int, DeliveryReason)
  /// Have the radio carry these demands' transfers now.
  case carry(device: Int, [DemandID], DeliveryReason)
  /// Read the source's facts now: what it says can change a decision. It publishes all of them.
  case read(device: Int)
  /// Wake the processor for a moment; at most once a step.
  case wakeProcessor(device: Int)
  /// Tell the client where its demand stands now.
  case grant(Demand, Grant)
  /// The demand is over; it gets nothing more.
  case ended(Demand)
  /// A rule acted once.
  case act(RuleID, Act)
  /// A rule has this service run from now on.
  case began(ServiceLease)
  /// It does so no more.
  case ceased(ServiceLease)
  /// A policy's machine entered a state.
  case moved(machine: String, state: String)
  /// An input was not accepted; nothing else changed.
  case refused(String)
}
