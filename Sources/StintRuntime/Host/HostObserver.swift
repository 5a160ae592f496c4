public import StintGovernor
public import StintModel
public import StintServices
public import StintUnits

/// An observer of a host, which is called in the order of events. The calls are made on the host's executor,
/// so implementations must be fast.
public protocol HostObserver: Sendable {
  /// A batch was delivered to a demand.
  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant)
  /// A device entered a state, consumed energy for an operation, or reported a fault.
  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant)
  /// A radio was commanded to start transfers.
  func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant)
  /// A demand was raised.
  func raised(_ demand: Demand, at instant: Instant)
  /// A service is about to raise a demand for its client.
  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant)
  /// A demand's grant changed, or a fault of the device that serves the demand began or ended. The governor
  /// has completed its step.
  func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant)
  /// A demand ended.
  func released(_ demand: Demand, at instant: Instant)
  /// A service produced an effect for its client or for the user, such as a notice or a refusal.
  func served(_ effect: ServiceEffect, at instant: Instant)
  /// A rule performed a one-time action.
  func acted(_ act: Act, by rule: RuleID, at instant: Instant)
  /// An input was rejected.
  func refused(_ sentence: String, at instant: Instant)
  /// Data of a device were dropped, or a device failed. The default implementation calls `refused`.
  func faulted(_ device: DeviceID, _ sentence: String, at instant: Instant)
  /// The host has a message about the run itself.
  func logged(_ message: RunMessage, at instant: Instant)
  /// The governor made a decision: its kind, and its line in the decision log.
  func decided(_ event: RunEvent, _ line: String, at instant: Instant)
  /// True when the observer carries out the orders of transfer sessions. The host passes these orders to
  /// `served`. The host reads this property once.
  var carriesTransfers: Bool { get }
  /// True when the host must call `delivered`. False avoids the cost of these calls, and of a queue for each
  /// demand of a service. The host reads this property once.
  var observesDeliveries: Bool { get }
  /// True when the host must call `becameIdle` after every step. False avoids the cost of these calls.
  var observesIdle: Bool { get }
  /// All work at an instant is done. Called after every step when `observesIdle` is true.
  func becameIdle(_ governor: borrowing Governor, at instant: Instant)
  /// All work at an instant is done. Called at most once per minute of the host's time.
  func settled(_ governor: borrowing Governor, at instant: Instant)
}

extension HostObserver {
  public var observesIdle: Bool { false }
  public var observesDeliveries: Bool { true }
  public var carriesTransfers: Bool { false }
  public func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {}
  public func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {}
  public func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {}
  public func raised(_ demand: Demand, at instant: Instant) {}
  public func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {}
  public func served(_ effect: ServiceEffect, at instant: Instant) {}
  public func logged(_ message: RunMessage, at instant: Instant) {}
  public func decided(_ event: RunEvent, _ line: String, at instant: Instant) {}
  public func becameIdle(_ governor: borrowing Governor, at instant: Instant) {}
  public func settled(_ governor: borrowing Governor, at instant: Instant) {}
  public func granted(_ grant: Grant, to demand: Demand, in governor: borrowing Governor, at instant: Instant)
  {}
  public func released(_ demand: Demand, at instant: Instant) {}
  public func acted(_ act: Act, by rule: RuleID, at instant: Instant) {}
  public func refused(_ sentence: String, at instant: Instant) {}
  public func faulted(_ device: DeviceID, _ sentence: String, at instant: Instant) {
    refused(sentence, at: instant)
  }
}
