/// What to run.
public struct LiveRequest: Hashable, Sendable {
  /// A policy file or a folder of them; watched while the run goes on.
  public var policies: String
  /// Where the devices come from.
  public enum Devices: Hashable, Sendable {
    /// A simulated phone in this scenario.
    case simulated(scenario: String)
    /// The real ones of this site file.
    case site(String)
  }

  public var devices: Devices
  /// A track instead of the scenario's own world.
  public var trace: String?
  /// Local time by this name of a zone, as `TimeZoneChoice` reads it; nil for the scenario's or the site's own.
  public var timeZone: String?
  public var seed: UInt64
  /// How many simulated seconds pass in one second.
  public var speed: Int64
  /// The folder for the journals of all starts, and how many bytes they may take; nil for as many as they need.
  public var journal: String?
  public var journalLimit: Int64?
  /// Where policies and their state are kept, and read again after a restart.
  public var state: String?
  /// Where to listen for `status`, `why`, `push` and `rollback`.
  public var control: String?
  /// A file with seconds that are added to the wall clock, read again when it changes: for tests of clock steps.
  public var clockOffset: String?
  /// Whether signals are answered as `SignalTable` has it; a process has one run that hears them.
  public var hearsSignals = true

  /// Asks for a run.
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
}
