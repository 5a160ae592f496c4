package import StintModel
package import StintUnits

/// The state of a plugin's process, for reports.
package struct ChildStatus: Hashable, Sendable {
  /// The state of the supervision.
  package var state: Supervision.State
  /// The id of the running process; nil when no process runs.
  package var process: Int32?
  /// How often the process was restarted.
  package var restarts: Int
  /// The number of samples that the plugin lost, counted from gaps in its sequence numbers.
  package var lostSamples: UInt64
  /// The number of held samples that were lost when a process ended, estimated from the sample period.
  package var lostHeldSamples = 0
  /// The number of faults that were dropped because the plugin reported too many faults.
  package var droppedFaults = 0
  /// True when the operator has removed the plugin during the run.
  package var isRemoved = false
  /// The active containment mechanisms; empty when no process runs.
  package var held: [ContainmentMechanism] = []
  /// The applicable containment mechanisms that are not active; empty when no process runs.
  package var missing: [ContainmentMechanism] = []
  /// The system calls that were denied, by name, over all processes of the plugin.
  package var attempts: [CallAttempt] = []
  /// The last line that the process printed; nil when it printed nothing.
  package var lastOutput: String?

  /// Makes a status.
  package init(state: Supervision.State, process: Int32?, restarts: Int, lostSamples: UInt64) {
    self.state = state
    self.process = process
    self.restarts = restarts
    self.lostSamples = lostSamples
  }

  /// The failure because of which no process serves the device. Nil when there is no such failure, and after
  /// the plugin was removed.
  package var failure: ChildFailure? {
    guard !isRemoved else { return nil }
    switch state {
    case .dying(let failure): return failure
    case .waiting(_, let failure), .quarantined(let failure): return failure
    case .idle, .starting, .serving, .closing, .finished: return nil
    }
  }

  /// Returns why no process serves the device, as a clause; nil while a process serves it.
  package func interruption(at instant: Instant) -> String? {
    guard !isRemoved else { return "the plugin was removed from the site" }
    switch state {
    case .serving: return nil
    case .idle, .starting: return "the plugin is starting"
    case .closing: return "the plugin is closing"
    case .finished: return "the plugin has ended"
    case .dying(let failure): return failure?.sentence ?? "the plugin is being stopped"
    case .waiting(let until, let failure):
      return "\(failure.sentence); the plugin restarts in \(max(.zero, until - instant))"
    case .quarantined(let failure): return "\(failure.sentence); the plugin is not restarted"
    }
  }

  /// The instant at which the next process starts; nil when no start is planned, and after the plugin
  /// was removed.
  package var nextStart: Instant? {
    guard !isRemoved, case .waiting(let until, _) = state else { return nil }
    return until
  }
}
