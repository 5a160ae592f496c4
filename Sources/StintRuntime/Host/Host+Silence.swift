import StintGovernor
import StintModel
import StintPluginHost
import StintPluginKit
import StintUnits

extension Host {
  /// The host counts as stopped when a wait ends later than expected by more than this span. A debugger can
  /// be the cause.
  private static let longestDelay = TimeSpan.seconds(1)

  /// Begins the measurement of silence again when the host was stopped or the system was suspended. The
  /// devices could not deliver in that time, or their samples still wait for the host.
  ///
  /// - Parameters:
  ///   - expected: the instant until which the host waited.
  ///   - reached: the instant at which the wait ended.
  func excuseSilence(waiting expected: Instant, until reached: Instant, _ pace: some HostClock) {
    let suspended = pace.suspended
    let wasSuspended = suspended > suspendedBefore + Self.longestDelay
    suspendedBefore = suspended
    if wasSuspended || reached > expected + Self.longestDelay { silence.restart(at: reached) }
  }

  /// Reports a fault of each sensor that is on and was silent for too long. A sensor in a process of its own
  /// is restarted.
  func failSilentDevices(at instant: Instant) async {
    // Samples may still wait in the port of a device.
    for device in silence.due(at: instant) { collect(device) }
    while let later = bay.span?.first { await step(later) }
    let silent = silence.due(at: instant)
    for device in silent {
      let span = silence.report(device, at: instant)
      // Faults with equal texts are counted together.
      let rounded = span < .seconds(10) ? span : span.roundedToSeconds
      let failure = ChildFailure(.hang, "the sensor is on and has sent nothing for \(rounded)")
      if !(supervised[device]?.fail(failure) ?? false) {
        plugins.members[device].port.report(.fault(failure.sentence), at: max(instant, governor.now))
      }
      collect(device)
    }
    while let later = bay.span?.first { await step(later) }
  }
}
