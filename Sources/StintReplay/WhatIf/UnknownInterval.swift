public import StintModel
import StintRuntime
public import StintUnits

/// An interval for which the journal lacks values that a device would have published under a
/// candidate policy.
public struct UnknownInterval: Hashable, Sendable {
  /// The reason for missing values.
  public enum Reason: String, Hashable, Sendable {
    /// The device was off, but would have been on under the candidate policy.
    case off = "was off"
    /// The device was on, but would have had a finer accuracy or a higher rate under the candidate policy.
    case coarser = "measured less accurately or less often than under the candidate policy"
  }

  /// The device whose values are missing.
  public var device: DeviceID
  /// The reason for missing values.
  public var reason: Reason
  /// The start of the interval.
  public var from: Instant
  /// The end of the interval.
  public var to: Instant
}
