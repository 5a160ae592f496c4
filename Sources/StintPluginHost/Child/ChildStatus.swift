public import StintModel

/// How a plugin's process is doing, for people.
public struct ChildStatus: Hashable, Sendable {
  public var state: Supervision.State
  /// The process that runs; nil when none does.
  public var process: Int32?
  /// How often it was started again.
  public var restarts: Int
  /// Samples that were lost within the plugin, by its own numbers.
  public var lostSamples: UInt64
  /// Whether the operator has taken it out while the run goes on.
  public var isRemoved = false
  /// The means that keep the process in which runs; empty when none does.
  public var held: [ContainmentMeans] = []
  /// The means that could keep it in and do not hold; empty when none runs.
  public var missing: [ContainmentMeans] = []
  /// The system calls that it was refused, by name, over all its lives.
  public var attempts: [CallAttempt] = []

  /// Makes a standing.
  public init(state: Supervision.State, process: Int32?, restarts: Int, lostSamples: UInt64) {
    self.state = state
    self.process = process
    self.restarts = restarts
    self.lostSamples = lostSamples
  }

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
