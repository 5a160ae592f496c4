import StintUnits

/// The configuration of a machine with real devices: plugins with settings, clients with demands, and facts.
///
/// The JSON form:
/// ```json
/// {"stint_site": 1, "title": "the trail box", "time_zone": "host",
///  "plugins": [{"plugin": "gpsd", "with": {"host": "127.0.0.1", "port": 2947}}],
///  "clients": [{"name": "trail-app",
///               "demands": [{"target": "location.gnss",
///                            "with": {"accuracy": "10 m", "activity": "fitness"}}]}],
///  "declares": [{"name": "battery.level", "unit": "%", "range": ["0 %", "100 %"]}],
///  "facts": {"app.state": "background"}}
/// ```
/// `apps` has an entry for each program that may attach through the control socket; see `SiteApp`.
/// Only `plugins` is required. Clients have the form of scenario clients, with times counted from the start
/// of the run. A declared fact is unknown when no client publishes it and `facts` does not set it.
///
/// A plugin that is not linked into the daemon is named by its descriptor, and runs in a process of its own:
/// `{"process": "thermometer/plugin.json", "sha256": "64 digits", "with": {}, "allow": ["/dev/i2c-1",
/// "network"], "contain": {"require": ["landlock"]}}`.
///
/// - The path is relative to the folder of the site file.
/// - `sha256` is optional; without it the descriptor is not verified.
/// - `allow` must contain all permissions that the descriptor requests.
/// - `require` lists containment mechanisms without which the plugin does not start.
/// - `library` instead of `process` loads the plugin into the daemon, without containment.
/// - A text in `with` may be `{"credential": "NAME"}` or `{"environment": "NAME"}`; see `SecretReference`.
/// - `"as": "ambient.indoor"`, also in the entry of a linked plugin, gives the device a name of its own in
///   the site, in place of the name in its manifest; see `InstanceNames`. So two entries may start the same
///   plugin.
public struct Site: Equatable, Sendable {
  /// A plugin with its settings.
  public struct Plugin: Hashable, Sendable {
    /// The name of the plugin.
    public var name: String
    /// The settings by name.
    public var settings: [String: PluginSettingValue]
    /// The settings whose texts are found when the plugin starts, by name.
    public var secrets: [String: SecretReference] = [:]
    /// The path of the descriptor, as in the site file; nil for a plugin that is linked into the daemon.
    public var descriptor: String?
    /// True when the descriptor's program is a library that the daemon loads; false when it runs in a
    /// separate process.
    public var isLibrary = false
    /// The names of the plugin's devices in this site.
    public var names = InstanceNames.own
    /// The required SHA-256 of the descriptor; nil when the operator does not require a hash.
    public var hash: String?
    /// The requested permissions that the operator grants: paths, `network` and `processes`.
    public var allowed: [String] = []
    /// The containment mechanisms without which the plugin must not start.
    public var required: [ContainmentMechanism] = []

    /// Makes an entry.
    public init(name: String, settings: [String: PluginSettingValue] = [:]) {
      self.name = name
      self.settings = settings
    }
  }

  /// The title of the site for display.
  public var title: String
  /// The name of the time zone; nil for the time zone of the machine.
  public var timeZone: String?
  /// The plugins of the site.
  public var plugins: [Plugin]
  /// The clients whose demands the site file contains.
  public var clients: [ScenarioClient]
  /// The programs that may attach as clients. When empty, only root and the user of the daemon may attach.
  public var apps: [SiteApp]
  /// The facts that clients publish, in addition to the facts of manifests.
  public var declares: [FactSchema]
  /// The facts that are set once, at the start.
  public var facts: [FactAssignment]
  /// The declared facts as the JSON text of a scenario, for the journal of a site.
  public var journalText: String

  /// Makes a site.
  public init(
    title: String = "", timeZone: String? = nil, plugins: [Plugin], clients: [ScenarioClient] = [],
    apps: [SiteApp] = [],
    declares: [FactSchema] = [], facts: [FactAssignment] = [], journalText: String = ""
  ) {
    self.title = title
    self.timeZone = timeZone
    self.plugins = plugins
    self.clients = clients
    self.apps = apps
    self.declares = declares
    self.facts = facts
    self.journalText = journalText
  }
}

/// A mechanism by which the system restricts a plugin's process.
///
/// A system may lack some mechanisms. The raw value is the word by which a site file requires the mechanism.
public enum ContainmentMechanism: String, Hashable, Sendable, CaseIterable {
  /// The process has the same user ids as outside of the namespace, without their privileges.
  case userNamespace = "user-namespace"
  /// The process can access only the files granted to it, and its own files with the hashed contents.
  case mountNamespace = "mount-namespace"
  /// The process sees no other processes, and its child processes end with it.
  case processNamespace = "pid-namespace"
  /// The process shares no memory segments or message queues with other processes.
  case ipcNamespace = "ipc-namespace"
  /// The process has no network interface; for plugins without `network`.
  case networkNamespace = "network-namespace"
  /// The process runs as another user when the daemon runs as root.
  case ownUser = "own-user"
  /// Landlock denies access to files that are not granted to the process.
  case landlock
  /// The kernel rejects system calls outside of the allowed set.
  case callFilter = "seccomp"
  /// The daemon counts rejected system calls, and `stint status` names them.
  case callNotice = "seccomp-notice"
  /// The number of threads and processes of the plugin is limited.
  case processLimit = "process-limit"
  /// A cgroup of version 2 limits the memory and the number of all processes of the plugin together.
  case cgroup
}
