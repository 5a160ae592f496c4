public import StintModel
public import StintUnits

/// An event that a device reported. The events of one port are in order, and their instants never decrease.
public enum PortEvent: Hashable, Sendable {
  /// A power state, an event that costs energy, or a fault.
  case outcome(Outcome, at: Instant)
  /// A value of the fact at this index of the manifest's `facts`; its schema allows the value.
  case fact(Int, FactValue, at: Instant)
  /// A value of the fact with this key, of the family at this index of the manifest's `facts`; its schema
  /// allows the value.
  indirect case keyed(Int, key: String, FactValue, at: Instant)
  /// Delivered samples. The instant of delivery is not earlier than the instant of any sample.
  case batch(Batch, at: Instant)
  /// A batch in which no sample is in the range of the manifest. The samples are dropped and counted.
  case rejectedBatch(at: Instant)
  /// A transfer is complete.
  case carried(DemandID, at: Instant)
  /// A carrier's report about one attempt of a transfer task.
  indirect case transferred(AttemptReport, at: Instant)
  /// The device became available or unavailable.
  case available(Bool, at: Instant)

  /// The instant of the event.
  public var instant: Instant {
    switch self {
    case .outcome(_, let at), .fact(_, _, let at), .keyed(_, _, _, let at), .batch(_, let at),
      .rejectedBatch(let at), .carried(_, let at), .transferred(_, let at), .available(_, let at):
      at
    }
  }

  /// Returns a copy of the event with this instant.
  public func moved(to instant: Instant) -> PortEvent {
    switch self {
    case .outcome(let outcome, _): .outcome(outcome, at: instant)
    case .fact(let index, let value, _): .fact(index, value, at: instant)
    case .keyed(let index, let key, let value, _): .keyed(index, key: key, value, at: instant)
    case .batch(let batch, _): .batch(batch, at: instant)
    case .rejectedBatch: .rejectedBatch(at: instant)
    case .carried(let demand, _): .carried(demand, at: instant)
    case .transferred(let report, _): .transferred(report, at: instant)
    case .available(let isThere, _): .available(isThere, at: instant)
    }
  }
}
