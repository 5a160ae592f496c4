public import StintModel
public import StintUnits

/// The present power of a device and its cause: the values that the ledger would charge.
public struct DeviceDraw: Hashable, Sendable {
  /// The index of the state in the manifest; out of range for a device without states.
  public var state: Int
  /// The present power.
  public var power: Power
  /// The cause of the power; nil at floor power.
  public var cause: Cause?
}

extension Governor {
  /// Returns the present power of a device, given its index in the vocabulary.
  public func draw(ofDevice number: Int) -> DeviceDraw {
    let record = devices[number]
    return DeviceDraw(
      state: record.state, power: record.power, cause: record.isOn ? record.cause : nil)
  }

  /// Returns the cause to which an event with a fixed energy is charged now; nil without a cause. `number` is
  /// the index of the device in the vocabulary.
  public func eventCause(ofDevice number: Int) -> Cause? {
    number == processor ? waking.cause : devices[number].cause
  }
}
