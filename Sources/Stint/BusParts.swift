import StintDaemon
import StintFormats
import StintJournal
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// The checked arguments from which a bus is opened. The code of each thrown `Problem` names the kind of the
/// invalid argument.
struct BusParts {
  /// The facts that apps publish, by path.
  let declared: [String: FactSchema]
  private let source: Bus.PluginSource
  private let clock: Bus.Clock
  private let files: Bus.Files
  private let zoneName: String?
  private let timeZone: TimeZoneRules

  init(
    _ source: Bus.PluginSource, _ clock: Bus.Clock, timeZone name: String?, facts: [AppFact],
    files: Bus.Files, services: String?
  ) throws(Problem) {
    self.source = source
    self.clock = clock
    self.files = files
    zoneName = name
    timeZone = try Self.rules(of: name, clock)
    declared = try Self.schemas(of: facts)
    try Self.check(source, clock, files, services)
  }

  private static func check(
    _ source: Bus.PluginSource, _ clock: Bus.Clock, _ files: Bus.Files, _ services: String?
  ) throws(Problem) {
    if let services {
      do throws(Problem) { try FileText.checkWriting(to: services) } catch { throw error.coded(.unreadable) }
    }
    switch source {
    case .linked, .directory:
      guard files.state == nil, files.journal == nil else {
        throw Problem(
          .invalid, cause: "a state file and a journal need the texts of the manifests",
          remedy: "pass the devices as “.devices” or “.site”")
      }
    case .devices, .site: break
    }
    var site: String?
    if case .site(let path, _) = source { site = path }
    let paths = [site, files.policies, files.state, files.journal, files.control, services]
      .compactMap { $0.flatMap { FileIdentity(of: $0) } }
    guard Set(paths).count == paths.count else {
      throw Problem(.invalid, cause: "two files of the bus have the same path", remedy: "use other paths")
    }
    if let state = files.state {
      try FileText.checkWriting(to: state)
      try StateFile.requireFile(state)
    }
    if let limit = files.journalLimit, limit < JournalLimit.least {
      throw Problem(
        .invalid, cause: "the limit of the journal is \(limit) bytes",
        remedy: "use \(JournalLimit.least) bytes (1 MiB) or more")
    }
    guard case .virtual(let start) = clock else { return }
    guard start >= .zero, start.timeSpan <= InputBounds.lastInstant - .epoch else {
      throw Problem(
        .invalid, cause: "virtual time cannot start at \(start.timeSpan)",
        remedy: "use a time from 1970 to the year 2170, in seconds since 1970")
    }
    if case .site = source { throw needsSystemClock("the devices of a site need") }
    if files.policies != nil { throw needsSystemClock("watched policies need") }
  }

  private static func needsSystemClock(_ beginning: String) -> Problem {
    Problem(
      .invalid, cause: "\(beginning) the clock of the system", remedy: "use “clock: .system”")
  }

  /// Opens the daemon of the bus on a loop.
  ///
  /// - Parameters:
  ///   - loop: the loop of the bus.
  ///   - path: the path of the services file; nil without a file.
  ///   - types: the app's own types of services and notices.
  ///   - handlers: the handlers of the app.
  ///   - onEvent: receives the events of the bus.
  func open(
    on loop: LoopExecutor, services path: String?, _ types: [any Persistent.Type], _ handlers: BusHandlers,
    _ onEvent: (@Sendable (Bus.Event) -> Void)?
  ) throws(Problem) -> (DaemonRun, ServiceCalls) {
    var options = DaemonOptions(policies: files.policies)
    options.ownsProcess = false
    options.state = files.state
    options.journal = files.journal
    options.journalLimit = files.journalLimit
    options.control = files.control
    options.services = path
    do {
      let daemon = try Daemon(
        options, on: loop, services: { () throws(Problem) in try Self.services(path, types) }, setup: setup,
        policies: { BusPolicies($0.vocabulary).access(to: files.policies) },
        report: { event in onEvent?(Bus.Event(event)) })
      var streams: ServiceCalls?
      let run = try daemon.open(
        beside: { plugins, states in
          let calls = ServiceCalls(plugins, handlers, states)
          streams = calls
          return calls
        })
      guard let streams else { preconditionFailure("a daemon opens with an observer") }
      streams.connect(run.host)
      return (run, streams)
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.unreadable, cause: "\(error)")
    }
  }

  // MARK: Devices

  private func setup(on loop: LoopExecutor) throws(Problem) -> DaemonSetup {
    switch source {
    case .linked(let plugins): return try app(plugins)
    case .directory(let path): return try app(PluginFolder.read(path))
    case .devices(let devices):
      let sorted = devices.sorted { $0.plugin.manifest.device < $1.plugin.manifest.device }
      for device in sorted { try Self.check(device) }
      return try app(sorted.map(\.plugin), texts: sorted.map(\.manifestText))
    case .site(let path, let linked):
      let setup = try DaemonSetup(
        site: path, timeZone: zoneName, linked: linked, loop: loop,
        declares: declared.values.sorted { $0.path < $1.path }, state: AppFact.stateSchema)
      try Self.check(declared, against: setup.vocabulary.manifests)
      for path in declared.keys.sorted() where setup.declares.count(where: { $0.path == path }) > 1 {
        throw Problem(.badFact, cause: "“\(path)” is a fact of the site", remedy: "use another name")
      }
      return setup
    }
  }

  private func app(_ plugins: [any DevicePlugin], texts: [String] = []) throws(Problem) -> DaemonSetup {
    let manifests: [Manifest]
    do throws(Problem) {
      manifests = try PluginSet(plugins).manifests
    } catch {
      throw error.coded(.badPlugin)
    }
    try Self.check(declared, against: manifests)
    let start: Instant? = if case .virtual(let from) = clock { .epoch + from.timeSpan } else { nil }
    let facts = Self.facts(declared, beside: manifests)
    return DaemonSetup(
      app: plugins, manifestTexts: texts, vocabulary: Vocabulary(manifests: manifests, declared: facts),
      facts: facts, declares: declared.values.sorted { $0.path < $1.path }, timeZone: timeZone,
      virtualStart: start)
  }

  /// Returns the facts that apps declare, sorted, with `app.state` unless a device publishes it.
  private static func facts(
    _ schemas: [String: FactSchema], beside manifests: [Manifest]
  ) -> [FactSchema] {
    var declared = schemas
    if Vocabulary(manifests: manifests).fact(AppFact.state.path) == nil {
      declared[AppFact.state.path] = AppFact.stateSchema
    }
    return declared.values.sorted { $0.path < $1.path }
  }

  /// Throws when the manifest text of a device does not describe the manifest of its plugin.
  private static func check(_ device: LinkedPlugin.Device) throws(Problem) {
    let name = device.plugin.manifest.device.path
    let manifest: Manifest
    do throws(Problem) {
      manifest = try ManifestReader.manifest(of: Array(device.manifestText.utf8), source: name)
    } catch {
      throw error.coded(.badPlugin)
    }
    guard manifest == device.plugin.manifest else {
      throw Problem(
        .badPlugin, place: name, cause: "the text of the manifest differs from the plugin's manifest",
        remedy: "pass the text from which the plugin reads its manifest")
    }
  }

  /// Throws when an app and a device declare a fact with the same path.
  private static func check(
    _ schemas: [String: FactSchema], against manifests: [Manifest]
  ) throws(Problem) {
    let devices = Vocabulary(manifests: manifests)
    for path in schemas.keys.sorted() {
      guard let fact = devices.fact(path), !devices.isAbsent(fact) else { continue }
      throw Problem(.badFact, cause: "“\(path)” is a fact of a device", remedy: "use another name")
    }
  }

  // MARK: Arguments

  static func thread() throws(Problem) -> LoopThread {
    do throws(Problem) {
      return try LoopThread()
    } catch {
      throw Problem(.closed, cause: "cannot start a thread for the bus: \(error)")
    }
  }

  /// Returns the services file, the state that it contains, and the problem of a damaged file that was
  /// renamed. Returns nil without a path.
  ///
  /// - Parameter types: the app's own types of services and notices.
  private static func services(
    _ path: String?, _ types: [any Persistent.Type]
  ) throws(Problem) -> Daemon.Services? {
    guard let path else { return nil }
    let file = ServicesFile(path, types: .all.adding(types))
    do throws(Problem) {
      let (saved, refusal) = try file.loadOrReject()
      return (file, saved, refusal)
    } catch {
      throw error.coded(.unreadable)
    }
  }

  /// Returns the schemas of the facts that apps publish, by path. Throws when a path occurs twice, or when a
  /// declaration is invalid.
  private static func schemas(of facts: [AppFact]) throws(Problem) -> [String: FactSchema] {
    var schemas: [String: FactSchema] = [:]
    for fact in facts {
      if fact.path == AppFact.state.path, fact.kind != AppFact.state.kind {
        throw Problem(
          .badFact, cause: "“\(fact.path)” is foreground or background", remedy: "remove the declaration"
        )
      }
      let schema = try fact.schema()
      guard BusPolicies.canRead(schema) else {
        throw Problem(
          .badFact,
          cause: "no policy can read “\(fact.path)”, because the name, or a word of the fact, is a word "
            + "of the policy language", remedy: "use another word")
      }
      guard schemas.updateValue(schema, forKey: fact.path) == nil else {
        throw Problem(.badFact, cause: "“\(fact.path)” is declared twice", remedy: "remove one")
      }
    }
    return schemas
  }

  /// Returns the rules of a time zone. Nil means the host's zone for the system clock, UTC for virtual time.
  private static func rules(of name: String?, _ clock: Bus.Clock) throws(Problem) -> TimeZoneRules {
    let fallback =
      switch clock {
      case .system: "host"
      case .virtual: "UTC"
      }
    do throws(Problem) {
      return try TimeZoneChoice.rules(name ?? fallback)
    } catch {
      throw error.coded(.badTimeZone)
    }
  }
}
