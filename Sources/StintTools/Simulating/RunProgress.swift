import StintGovernor
import StintModel
import StintRuntime
import StintUnits

/// Reports the completed share of a run, 0 to 1, at most once per simulated minute.
struct RunProgress: HostObserver {
  let start: Instant
  let end: Instant
  let report: @Sendable (Double) -> Void

  func settled(_ governor: borrowing Governor, at instant: Instant) {
    report((instant - start).seconds / max((end - start).seconds, 1e-9))
  }
}
