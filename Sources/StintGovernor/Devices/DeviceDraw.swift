public import StintModel
public import StintUnits

/// What a device draws now and for whom: what the ledger would be told if it changed.
public struct DeviceDraw: Hashable, Sendable {
  /// An index into the states of its manifest; out of range for a device without states.
  public var state: Int
  public var power: Power
  /// Nil at floor power.
  public var cause: Cause?
}

extension Governor {
  /// What a device draws now, by its number in the vocabulary.
  public func draw(ofDevice number: Int) -> DeviceDraw {
    let record = devices[number]
    return DeviceDraw(
      state: record.state, power: record.power, cause: record.isOn ? record.cause : nil)
  }

  /// Why something that a device does at a fixed price is booked now, by its number in the vocabulary.
  public func eventCause(ofDevice number: Int) -> Cause? {
    number == processor ? waking.cause : devices[number].cause
  }
}
