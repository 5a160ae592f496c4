public import StintUnits

/// The content of an event of a run, with devices, rules, clients and requests as typed values. The event
/// also has a text for people. Later versions may add cases.
public enum RunEvent: Hashable, Sendable {
  /// The governor gave a device a setting. The cause is nil when no demand needs the device.
  case setting(DeviceID, Setting, cause: Cause?)
  /// The governor made a device deliver the samples that it holds, for this reason.
  case delivery(DeviceID, DeliveryReason)
  /// The governor made a radio start the transfers of these demands, for this reason.
  case transfers(DeviceID, [DemandID], DeliveryReason)
  /// The demand of a client for a device has a new grant.
  case grant(ClientID, DeviceID, Grant)
  /// The demand of a client for a device has ended.
  case release(ClientID, DeviceID)
  /// A rule performed an action once.
  case act(RuleID, Act)
  /// A state machine of a policy entered a state.
  case machine(String, state: String)
  /// A rule started or stopped a service.
  case ruleService(RuleService, isRunning: Bool)
  /// A request of a client was refused. `request` is the client's name for the request.
  case refusedRequest(ClientID, request: String, Problem)
  /// A command of a client to a request was refused. The request continues unchanged.
  case refusedCommand(ClientID, request: String, Problem)
  /// A running request of a client ended with a failure.
  case failedRequest(ClientID, request: String, Problem)
  /// A device reported a fault, or data of the device were dropped.
  case fault(DeviceID)
  /// The process of a plugin printed a line.
  case output(DeviceID)
  /// A client program attached.
  case attached(ClientID)
  /// A client program left.
  case left(ClientID)
  /// A change of the policies came into force, or was refused. When refused, the former policies stay in
  /// force.
  case policies(isChanged: Bool)
  /// An event with a text only, such as a start, an end, or an operation on a file that failed.
  case message
}
