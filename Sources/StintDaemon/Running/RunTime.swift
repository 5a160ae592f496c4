import StintModel
package import StintRuntime
package import StintUnits

/// The time of a run, and the source of its host's wake-ups. It is real time with signals and file changes,
/// or virtual time.
package enum RunTime: Sendable {
  /// Real time, or the time of a simulation at the speed of its clock.
  case events(LoopEvents, DaemonClock)
  /// Virtual time, which only `VirtualClock.advance(by:)` advances.
  case virtual(VirtualClock)

  /// Virtual time; nil in real time.
  package var virtual: VirtualClock? { if case .virtual(let hostClock) = self { hostClock } else { nil } }

  /// False when the run is in real time and the system cannot watch its files. They are then read
  /// periodically.
  var watchesFiles: Bool {
    switch self {
    case .events(let events, _): events.watchesFiles
    case .virtual: true
    }
  }

  /// The current instant.
  package var now: Instant {
    switch self {
    case .events(_, let hostClock): hostClock.now
    case .virtual(let hostClock): hostClock.now
    }
  }

  /// A function that wakes the host because a device or a client needs it. It may be called from any thread.
  /// The function holds the events or the virtual clock only weakly, because devices may keep the function
  /// after the run.
  package var notify: @Sendable () -> Void {
    switch self {
    case .events(let events, _): { [weak events] in events?.notifyReady() }
    case .virtual(let hostClock): { [weak hostClock] in hostClock?.notify(.ready) }
    }
  }

  /// Closes the descriptors when the run has ended. The `deinit` of the events object would do this too late,
  /// because the host and devices may keep the object.
  func close() { if case .events(let events, _) = self { events.close() } }

  /// Ends the run. May be called from any thread.
  package func stop() {
    switch self {
    case .events(let events, _): events.stop()
    case .virtual(let hostClock): hostClock.notify(.stop)
    }
  }
}
