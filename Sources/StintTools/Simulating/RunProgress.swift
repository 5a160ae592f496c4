import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// Tells how much of a run is done, each minute of its time.
struct RunProgress: HostObserver {
  let start: Instant
  let end: Instant
  let report: @Sendable (Double) -> Void

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    report((instant - start).seconds / max((end - start).seconds, 1e-9))
  }
}
