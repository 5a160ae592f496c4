import StintFormats
package import StintJournal
package import StintModel
package import StintPluginHost
package import StintPluginKit
package import StintRuntime
package import StintUnits

/// The devices, clients and facts with which a daemon runs, before the run begins.
package struct DaemonSetup: Sendable {
  /// The source of the devices.
  package enum Devices: Sendable {
    /// The real devices of a site file.
    case site(SiteDevices)
    /// The devices of an app. Their clock is nil in virtual time.
    case app([any DevicePlugin], clock: WallClock?)
    /// A simulated phone.
    case phone(any SimulatedDevices)
  }

  /// The name in messages and reports.
  package let name: String
  /// The source of the devices.
  package let devices: Devices
  /// The devices and facts that policies may name.
  package let vocabulary: Vocabulary
  /// The description of the devices in the journal.
  package let journalWorld: JournalWorld
  /// The clients and facts of the scenario or site, as a script. For a site, the daemon shifts the script to
  /// the start of the run.
  package private(set) var script: ClientScript
  /// The facts that clients may publish.
  package let declares: [FactSchema]
  /// The rules of local time.
  package let timeZone: TimeZoneRules
  /// The name of the time zone of a site. Nil for an app and for a scenario, which give only the rules.
  package let zoneName: String?

  /// Creates the setup of a simulated phone.
  package init(
    name: String, phone: any SimulatedDevices, vocabulary: Vocabulary, journalWorld: JournalWorld,
    script: ClientScript, declares: [FactSchema], timeZone: TimeZoneRules
  ) {
    self.name = name
    devices = .phone(phone)
    self.vocabulary = vocabulary
    self.journalWorld = journalWorld
    self.script = script
    self.declares = declares
    self.timeZone = timeZone
    zoneName = nil
  }

  /// Creates the setup of an app with devices of its own.
  ///
  /// - Parameters:
  ///   - manifestTexts: the texts of the manifests, for the journal and the state file.
  ///   - facts: the facts of the vocabulary that no device publishes.
  ///   - declares: the members of `facts` that clients may publish.
  ///   - start: the start in virtual time; nil for the clock of the system.
  package init(
    app plugins: [any DevicePlugin], manifestTexts: [String], vocabulary: Vocabulary,
    facts: [FactSchema], declares: [FactSchema], timeZone: TimeZoneRules, virtualStart start: Instant?
  ) {
    name = "app"
    let read = SystemClock.both()
    devices = .app(
      plugins,
      clock: start == nil ? WallClock(timeZone, clock: RunClock(start: read.wall, anchor: read.steady)) : nil)
    self.vocabulary = vocabulary
    journalWorld = JournalWorld(
      manifests: manifestTexts, scenario: DeclaredFacts.journalText(facts), seed: 0, timeZone: timeZone)
    script = ClientScript(clients: [], start: start ?? read.wall)
    self.declares = declares
    self.timeZone = timeZone
    zoneName = nil
  }

  /// Creates the devices of a site file without opening them. The clock of the run starts now, and plugins in
  /// separate processes use `loop`.
  ///
  /// - Parameters:
  ///   - more: facts that an app declares, besides those of the file.
  ///   - state: a fact that follows from the presence of clients. The fact is added when neither a device nor
  ///     the file declares the fact; clients may not publish the added fact. Nil to add no fact.
  /// - Throws: a problem of the site file, of a plugin's descriptor or of the time zone.
  package init(
    site path: String, timeZone option: String?, linked: [LinkedPlugin], loop: LoopExecutor,
    declares more: [FactSchema] = [], state: FactSchema? = nil
  ) throws(Problem) {
    let (site, processes) = try SiteFiles.read(path, linked: linked)
    declares = site.declares + more
    let zone = option ?? site.timeZone ?? "host"
    let rules: TimeZoneRules
    do throws(Problem) {
      rules = try TimeZoneChoice.rules(zone)
    } catch {
      let place = option == nil && site.timeZone != nil ? "\(path): time_zone" : "--time-zone"
      throw Problem(.content, place: place, cause: "“\(zone)”: \(error.cause)", remedy: error.remedy)
    }
    let devices = try SiteDevices(
      site, path: path, linked: linked, processes: processes, loop: loop, timeZone: rules)
    name = site.title.isEmpty ? "site" : site.title
    self.devices = .site(devices)
    let manifests = devices.manifests
    var facts = declares
    if let state, Vocabulary(manifests: manifests, declared: facts).fact(state.path) == nil {
      facts.append(state)
    }
    vocabulary = Vocabulary(manifests: manifests, declared: facts)
    if let conflict = vocabulary.unitConflict { throw conflict }
    journalWorld = JournalWorld(
      manifests: devices.manifestTexts,
      scenario: facts.count == site.declares.count ? site.journalText : DeclaredFacts.journalText(facts),
      seed: 0,
      timeZone: rules)
    script = site.script(from: devices.clock.clock.start)
    timeZone = rules
    zoneName = zone
    try ScriptSource.check(script, vocabulary, place: path)
  }

  /// The devices of a site file; nil for an app and for a simulated phone.
  package var site: SiteDevices? { if case .site(let site) = devices { site } else { nil } }

  /// The clock of a run whose time also passes while the program is not running. Nil in simulated and virtual
  /// time.
  var liveClock: WallClock? {
    switch devices {
    case .site(let site): site.clock
    case .app(_, let clock): clock
    case .phone: nil
    }
  }

  /// True when the app advances the time.
  var isVirtual: Bool { if case .app(_, nil) = devices { true } else { false } }

  var isSimulated: Bool { if case .phone = devices { true } else { false } }

  /// The plugins that run in separate processes or as libraries.
  package var supervised: [any SupervisedPlugin] { site?.supervised ?? [] }

  /// Moves the start of the script to this instant.
  mutating func start(at instant: Instant) { script.start = instant }

  /// Returns new plugins of a simulated phone, or the plugins of a site or app.
  ///
  /// - Parameter onReady: called on any thread when a plugin with its own thread has a report for the host.
  func plugins(onReady: @escaping @Sendable () -> Void) throws(Problem) -> PluginSet {
    switch devices {
    case .phone(let phone): return try phone.plugins()
    case .app(let plugins, _): return try PluginSet(plugins) { _ in onReady() }
    case .site(let site):
      do throws(Problem) {
        return try PluginSet(devices: site.devices.map { ($0.plugin, $0.manifest) }) { _ in onReady() }
      } catch {
        throw error.at(site.path)
      }
    }
  }

  /// Returns the filter between devices and host; nil when none exists.
  func filter(_ plugins: PluginSet, disk: DiskFullSwitch) -> (any PortFilter)? {
    guard case .phone(let phone) = devices else { return nil }
    return phone.filter(plugins, disk: disk)
  }
}

/// The devices of a simulated phone.
package protocol SimulatedDevices: Sendable {
  /// Returns new plugins for one run.
  func plugins() throws(Problem) -> PluginSet
  /// Returns the filter that injects faults between plugins and host; nil without faults.
  ///
  /// - Parameter disk: the disk that the run writes to; a fault makes it full.
  func filter(_ plugins: PluginSet, disk: DiskFullSwitch) -> (any PortFilter)?
}
