import StintGovernor
import StintRuntime
import StintUnits

/// Saves the state of the governor once a minute, as a daemon does.
struct GovernorKeeper: HostObserver {
  private let disk: SwarmDisk

  init(_ disk: SwarmDisk) { self.disk = disk }

  func settled(_ governor: borrowing Governor, at instant: Instant) { disk.keep(governor.memory) }
}
