import StintGovernor
import StintRuntime
import StintUnits

/// Saves the state of the governor on a `SwarmDisk` at most once a minute. A daemon saves the state in a file
/// in the same way.
struct GovernorKeeper: HostObserver {
  private let disk: SwarmDisk

  init(_ disk: SwarmDisk) { self.disk = disk }

  func settled(_ governor: borrowing Governor, at instant: Instant) { disk.keep(governor.memory) }
}
