package import StintDaemon

/// The settings for a run of a daemon on simulated or real devices.
package struct LiveRequest: Sendable {
  /// The source of the devices.
  package enum Devices: Hashable, Sendable {
    /// A simulated phone in this scenario.
    case simulated(scenario: String)
    /// The real devices of this site file.
    case site(String)
  }

  /// The paths and settings of the daemon.
  package var daemon: DaemonOptions
  /// The source of the run's devices.
  package var devices: Devices
  /// The path of a track that replaces the scenario's world; nil for no track.
  package var trace: String?
  /// The name of the time zone, as `TimeZoneChoice` parses it; nil for the time zone of the scenario or site.
  package var timeZone: String?
  /// The seed of a simulated phone's random numbers.
  package var seed: UInt64 = 1

  /// Creates a request with the defaults for everything except the daemon and the devices.
  package init(_ daemon: DaemonOptions, devices: Devices) {
    self.daemon = daemon
    self.devices = devices
  }
}
