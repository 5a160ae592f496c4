import StintDaemon

/// The options of a daemon run.
public struct LiveRequest: Hashable, Sendable {
  /// A policy file or a folder of policies, watched during the run.
  public var policies: String
  /// The source of the devices.
  public enum Devices: Hashable, Sendable {
    /// A simulated phone in this scenario.
    case simulated(scenario: String)
    /// The real devices of this site file.
    case site(String)
  }

  /// The source of the run's devices.
  public var devices: Devices
  /// A track that replaces the scenario's world; nil for none.
  public var trace: String?
  /// The name of the time zone, as `TimeZoneChoice` parses it; nil for the time zone of the scenario or site.
  public var timeZone: String?
  /// The seed of a simulated phone's random numbers.
  public var seed: UInt64
  /// The number of simulated seconds per real second.
  public var speed: Int64
  /// The folder for the journals of all starts; nil for no journal.
  public var journal: String?
  /// The maximum total size of the journals in bytes; nil for no limit.
  public var journalLimit: Int64?
  /// The file in which policies and their state are saved for a restart; nil for none.
  public var state: String?
  /// The path of the socket for `status`, `why`, `push` and `rollback`; nil for none.
  public var control: String?
  /// A file with the seconds to add to the wall clock, read again when it changes; for tests of clock steps.
  public var clockOffset: String?
  /// True when the run handles signals as in `SignalTable`; at most one run of a process may do so.
  public var hearsSignals = true

  /// Creates a request.
  public init(
    policies: String, devices: Devices, trace: String? = nil, timeZone: String? = nil, seed: UInt64 = 1,
    speed: Int64 = 1, journal: String? = nil, journalLimit: Int64? = nil, state: String? = nil,
    control: String? = nil
  ) {
    self.policies = policies
    self.devices = devices
    self.trace = trace
    self.timeZone = timeZone
    self.seed = seed
    self.speed = speed
    self.journal = journal
    self.journalLimit = journalLimit
    self.state = state
    self.control = control
  }

  /// The options of the daemon itself.
  var options: DaemonOptions {
    var options = DaemonOptions(policies: policies)
    options.speed = speed
    options.journal = journal
    options.journalLimit = journalLimit
    options.state = state
    options.control = control
    options.clockOffset = clockOffset
    options.hearsSignals = hearsSignals
    return options
  }
}
