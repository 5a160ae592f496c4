public import StintGovernor
public import StintModel
public import StintServices
public import StintUnits

/// Watches a host at work, in the order of what happens; called on the host's executor, so it must be quick.
public protocol HostObserver: Sendable {
  /// A batch was handed to a demand.
  func delivered(_ batch: Batch, to demand: Demand, at instant: Instant)
  /// A device entered a state or did something priced.
  func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant)
  /// A radio was ordered to carry transfers.
  func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant)
  /// A demand was raised.
  func raised(_ demand: Demand, at instant: Instant)
  /// A service is about to raise a demand for its client.
  func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant)
  /// A demand's grant changed.
  func granted(_ grant: Grant, to demand: Demand, at instant: Instant)
  /// A demand ended.
  func released(_ demand: Demand, at instant: Instant)
  /// A service told its client something, refused a request, or wants a client or a person to hear of it.
  func served(_ effect: ServiceEffect, at instant: Instant)
  /// A rule acted once.
  func acted(_ act: Act, by rule: RuleID, at instant: Instant)
  /// An input was refused, a device failed.
  func refused(_ sentence: String, at instant: Instant)
  /// Something happened to the run itself, such as a journal that cannot be written; the run goes on.
  func logged(_ sentence: String, at instant: Instant)
  /// The governor decided something; the line of the decision log.
  func decided(_ line: String, at instant: Instant)
  /// Whether it looks at the governor each time that everything is done; if not, no step pays for showing it.
  var watchesRest: Bool { get }
  /// Everything that was to be done at an instant is done; told each time to who watches that.
  func becameIdle(_ governor: borrowing Governor, at instant: Instant)
  /// Everything that was to be done at an instant is done; told at most once a minute of the host's time.
  func settled(_ governor: borrowing Governor, at instant: Instant)
}

extension HostObserver {
  public var watchesRest: Bool { false }
  public func delivered(_ batch: Batch, to demand: Demand, at instant: Instant) {}
  public func reported(_ outcome: Outcome, of manifest: Manifest, at instant: Instant) {}
  public func transfersStarted(_ demands: [Demand], on device: DeviceID, at instant: Instant) {}
  public func raised(_ demand: Demand, at instant: Instant) {}
  public func demanded(_ demand: Demand, by service: ServiceID, at instant: Instant) {}
  public func served(_ effect: ServiceEffect, at instant: Instant) {}
  public func logged(_ sentence: String, at instant: Instant) {}
  public func decided(_ line: String, at instant: Instant) {}
  public func becameIdle(_ governor: borrowing Governor, at instant: Instant) {}
  public func settled(_ governor: borrowing Governor, at instant: Instant) {}
  public func granted(_ grant: Grant, to demand: Demand, at instant: Instant) {}
  public func released(_ demand: Demand, at instant: Instant) {}
  public func acted(_ act: Act, by rule: RuleID, at instant: Instant) {}
  public func refused(_ sentence: String, at instant: Instant) {}
}
