public import StintModel
public import StintUnits

/// A time for which a journal cannot say what a device would have told a candidate.
public struct UnknownInterval: Hashable, Sendable {
  /// Why the journal does not know.
  public enum Reason: String, Hashable, Sendable {
    /// The device was off, and would have been on.
    case off = "was off"
    /// The device was on, and would have been finer or faster.
    case coarser = "was coarser than it would have been"
  }

  public var device: DeviceID
  public var reason: Reason
  public var from: Instant
  public var to: Instant

  /// Makes a stretch.
  public init(device: DeviceID, reason: Reason, from: Instant, to: Instant) {
    self.device = device
    self.reason = reason
    self.from = from
    self.to = to
  }
}
