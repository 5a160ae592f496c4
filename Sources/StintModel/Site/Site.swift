public import StintUnits

/// A machine with real devices: which plugins with which settings, who asks for what, which facts there are.
///
/// The JSON form:
/// ```json
/// {"stint_site": 1, "title": "the trail box", "time_zone": "host",
///  "plugins": [{"plugin": "gpsd", "with": {"host": "127.0.0.1", "port": 2947}}],
///  "clients": [{"name": "trail-app",
///               "demands": [{"target": "location.gnss", "with": {"accuracy": "10 m", "activity": "fitness"}}]}],
///  "declares": [{"name": "battery.level", "unit": "%", "range": ["0 %", "100 %"]}],
///  "facts": {"app.state": "background"}}
/// ```
/// A plugin that is not linked in is named by its descriptor instead, and runs in a process of its own:
/// `{"process": "thermometer/plugin.json", "sha256": "64 digits, when left out not asked", "with": {},
/// "allow": ["/dev/i2c-1", "network"], "contain": {"require": ["landlock"]}}`, where it is allowed all that
/// its descriptor asks for, and is not started where a required means of containment does not hold. `library`
/// in place of `process` loads it into the daemon, where it is not contained. The path counts from the file.
/// Only `plugins` must be there. Clients are written as in scenarios, with times counted from the start of
/// the run. A declared fact that no client publishes and `facts` does not set is unknown.
public struct Site: Hashable, Sendable {
  /// A plugin with its settings, by key.
  public struct Plugin: Hashable, Sendable {
    public var name: String
    public var settings: [String: PluginSettingValue]
    /// The path of its descriptor, as the file has it, for a plugin in a process of its own; nil for one that is
    /// linked in.
    public var descriptor: String?
    /// Whether the descriptor's program is a library that is loaded into the daemon, and no process of its own.
    public var isLibrary = false
    /// The SHA-256 that the descriptor has to have; nil where the operator does not ask.
    public var hash: String?
    /// What the operator lets it touch of what its descriptor asks for: paths, `network` and `processes`.
    public var allowed: [String] = []
    /// The means of containment without which it must not be started.
    public var required: [ContainmentMeans] = []

    /// Makes an entry.
    public init(name: String, settings: [String: PluginSettingValue] = [:]) {
      self.name = name
      self.settings = settings
    }
  }

  public var title: String
  /// Local time by this name of a zone; nil for the machine's own.
  public var timeZone: String?
  public var plugins: [Plugin]
  public var clients: [ScenarioClient]
  public var declares: [FactSchema]
  /// Facts that are set once, at the start.
  public var facts: [FactAssignment]
  /// The declared facts as a scenario with nothing else in it, in JSON: what a journal keeps of a site.
  public var journalText: String

  /// Makes a site.
  public init(
    title: String = "", timeZone: String? = nil, plugins: [Plugin], clients: [ScenarioClient] = [],
    declares: [FactSchema] = [], facts: [FactAssignment] = [], journalText: String = ""
  ) {
    self.title = title
    self.timeZone = timeZone
    self.plugins = plugins
    self.clients = clients
    self.declares = declares
    self.facts = facts
    self.journalText = journalText
  }

  /// The site's script as a scenario that begins at `start` and has no end.
  public func scenario(start: Instant, timeZone: TimeZoneRules) -> Scenario {
    Scenario(
      name: title.isEmpty ? "site" : title, start: start, timeZone: timeZone, duration: .unlimited,
      origin: .nullIsland, clients: clients, declares: declares,
      changes: facts.isEmpty ? [] : [FactChange(at: .zero, values: facts)])
  }
}

extension Coordinate {
  /// A placeholder position: a site has no world.
  fileprivate static var nullIsland: Coordinate {
    guard let place = Coordinate(latitude: 0, longitude: 0) else { preconditionFailure("0, 0 is a place") }
    return place
  }
}

/// One of the means by which a system keeps a plugin's process within what it may touch.
///
/// A system may lack some of them. The raw value is the word by which a site file requires a means.
public enum ContainmentMeans: String, Hashable, Sendable, CaseIterable {
  /// Its users are those of the system without their powers.
  case userNamespace = "user-namespace"
  /// It sees only the files that are given to it, and its own files as they were sealed.
  case mountNamespace = "mount-namespace"
  /// It sees no other process, and what it starts ends with it.
  case processNamespace = "pid-namespace"
  /// It shares no memory segment and no message queue with others.
  case ipcNamespace = "ipc-namespace"
  /// It has no network interface; for plugins without `network`.
  case networkNamespace = "network-namespace"
  /// It runs as another user than a daemon that is root.
  case ownUser = "own-user"
  /// Files that are not given to it are closed by Landlock.
  case landlock
  /// System calls that are not on the list of allowed ones are refused.
  case callFilter = "seccomp"
  /// Refused calls are counted, and `stint status` names them.
  case callNotice = "seccomp-notice"
  /// Its threads and processes are limited in number.
  case processLimit = "process-limit"
  /// Memory and processes of all that it starts are limited together, by a cgroup of version 2.
  case cgroup
}
