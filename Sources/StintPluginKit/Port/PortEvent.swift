public import StintModel
public import StintUnits

/// Something a device said, in the order in which it said it; instants never fall within one port.
public enum PortEvent: Hashable, Sendable {
  /// What the device does now, has done, or could not do.
  case outcome(Outcome, at: Instant)
  /// A fact by its place in the manifest's `facts`, with a value that its schema allows.
  case fact(Int, FactValue, at: Instant)
  /// Samples handed over at this instant, which is not before the last of them.
  case batch(Batch, at: Instant)
  /// A transfer is through.
  case carried(DemandID, at: Instant)
  /// The device came or went.
  case available(Bool, at: Instant)

  /// When it was said.
  public var instant: Instant {
    switch self {
    case .outcome(_, let at), .fact(_, _, let at), .batch(_, let at), .carried(_, let at),
      .available(_, let at):
      at
    }
  }

  /// A copy of the event with another instant.
  public func moved(to instant: Instant) -> PortEvent {
    switch self {
    case .outcome(let outcome, _): .outcome(outcome, at: instant)
    case .fact(let index, let value, _): .fact(index, value, at: instant)
    case .batch(let batch, _): .batch(batch, at: instant)
    case .carried(let demand, _): .carried(demand, at: instant)
    case .available(let isThere, _): .available(isThere, at: instant)
    }
  }
}
