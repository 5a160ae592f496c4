public import StintModel

/// What a service may hear.
public enum ServiceEvent: Sendable {
  /// Samples of the device that serves this demand of it.
  case batch(Batch, DemandID)
  /// A demand of it stands otherwise than before.
  case granted(DemandID, Grant)
  /// A demand of it is over; what was held for it has come.
  case ended(DemandID)
  /// The number of bytes that were through of a transfer that it gave up while it was under way.
  case part(DemandID, bytes: Int64)
  /// A transfer of it is through.
  case carried(DemandID)
  /// A published fact, by its whole path.
  case fact(String, FactValue)
  /// A device said something of itself.
  case device(DeviceID, DeviceEvent)
  /// Memory is short from now on, or is not any more: what can be given up is to be.
  case memory(isLow: Bool)
  /// What its client may do changed.
  case authorization(Authorization)
  /// Its client's process came back, or went.
  case client(isAttached: Bool)
  /// Rules let other tasks of transfers begin than before.
  case starts
  /// Its client tells it something.
  case command(any ServiceCommand)
  /// The instant that it asked for has come.
  case timer
}

/// What a device said of itself.
public enum DeviceEvent: Hashable, Sendable {
  /// The state that it is in now, by name, and whether that is on.
  case state(String, isOn: Bool)
  case available(Bool)
  case fault(String)
}
