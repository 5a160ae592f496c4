import StintGovernor
import StintRuntime
import StintUnits

/// Saves the state of the governor on a `SwarmDisk` at most once a minute. A daemon also saves the state, but
/// in a file and at most once a second.
struct GovernorKeeper: HostObserver {
  private let disk: SwarmDisk

  init(_ disk: SwarmDisk) { self.disk = disk }

  func settled(_ governor: borrowing Governor, at instant: Instant) { disk.keep(governor.memory) }
}
