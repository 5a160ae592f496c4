/// How a plugin's process is doing, for people.
public struct ChildStanding: Hashable, Sendable {
  public var state: Supervision.State
  /// The process that runs; nil when none does.
  public var process: Int32?
  /// How often it was started again.
  public var restarts: Int
  /// Samples that were lost within the plugin, by its own numbers.
  public var lostSamples: UInt64
  /// Whether the operator has taken it out while the run goes on.
  public var isRemoved = false

  /// Why the device is not served; nil while it is.
  public var failure: ChildFailure? {
    guard !isRemoved else { return nil }
    switch state {
    case .dying(let failure): return failure
    case .waiting(_, let failure), .quarantined(let failure): return failure
    case .idle, .starting, .serving, .closing, .finished: return nil
    }
  }
}
