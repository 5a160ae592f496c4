import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintPluginHost
package import StintRuntime
package import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A daemon: devices, policies, clients and saved state in one run.
///
/// The steps run on the calling thread. Other threads do the blocking work of plugins, prepare edits and save
/// the state. An edit of the policies is checked as a whole: a valid edit comes into force between two steps;
/// an invalid edit is refused with its diagnostics, and the current policies stay in force.
package struct Daemon: Sendable {
  /// The result of a run.
  package struct Outcome: Sendable {
    /// The final state.
    package let finish: RunFinish
    /// The start and the end of the run.
    package let start, end: Instant
    /// The policies at the end, and the reports of all reloads.
    package let policies: PolicyStore
  }

  private let setup: DaemonSetup
  private let options: DaemonOptions
  private let access: PolicyAccess
  private let loop: LoopExecutor
  private let report: @Sendable (DaemonEvent) -> Void
  /// The policies in force at the start.
  private let loaded: PolicyLoader.Loaded
  private let saved: PersistedState?
  private let locks: RunLocks
  /// The instant at which the run begins or continues.
  private let start: Instant
  private let clock: ClockFollower

  /// Locks the paths, creates the devices, and reads the saved state and the policies; `run` starts the run.
  ///
  /// - Parameters:
  ///   - makeSetup: creates the devices; called once, after the paths are locked.
  ///   - access: makes the access to the policies of these devices.
  ///   - report: receives events, on the thread of the run.
  /// - Throws: `Problem` when an input cannot be read or another process uses a path; the errors of `access`.
  package init(
    _ options: DaemonOptions, setup makeSetup: (LoopExecutor) throws -> DaemonSetup,
    policies makeAccess: (DaemonSetup) -> PolicyAccess, report: @escaping @Sendable (DaemonEvent) -> Void
  ) throws {
    self.options = options
    self.report = report
    let log: @Sendable (String) -> Void = { report(.notice($0)) }
    locks = try RunLocks(options, log: log)
    let loop = try Self.orProblem("the loop") { try LoopExecutor() }
    self.loop = loop
    var setup = try makeSetup(loop)
    let access = makeAccess(setup)
    self.access = access
    let saved = options.state.flatMap { PersistedState(at: $0, setup: setup, load: access.load, log: log) }
    let wallClock: WallClock
    if let site = setup.site {
      wallClock = site.clock
      // The clients of a site make their requests at the instant at which the run continues.
      if let saved { setup.start(at: saved.resume(wallClock, log: log)) }
      start = setup.script.start
    } else {
      start = saved.flatMap { $0.continuesDay ? $0.state.memory.instant : nil } ?? setup.script.start
      wallClock = WallClock(
        setup.timeZone,
        clock: RunClock(start: start, anchor: SystemClock.monotonic(), speed: options.speed), reading: nil)
      if let saved, saved.continuesDay { wallClock.resume(at: start, ahead: saved.state.clock.ahead) }
    }
    clock = ClockFollower(wallClock, offsetFile: options.clockOffset, zone: setup.zoneName, log: log)
    self.setup = setup
    self.saved = saved
    if let saved {
      _ = try access.read()
      loaded = saved.loaded
    } else {
      loaded = try access.loadFirst()
    }
  }

  /// Runs until the end of the script or a terminating signal, then turns every device off. Blocks until
  /// then.
  ///
  /// - Parameters:
  ///   - observer: observes the host beside the daemon.
  ///   - questions: makes the answers to single questions on the socket.
  /// - Throws: `Problem` when the journal, the socket or the watched files cannot be opened.
  package func run(
    beside observer: any HostObserver, questions: (PolicyStore, DaemonSetup) -> any ControlQuestions
  ) throws -> Outcome {
    let watcher = try Self.orProblem(options.policies) { try FolderWatcher(watchTargets) }
    let events = try Self.orProblem("signals") {
      options.hearsSignals
        ? try LoopEvents(daemonOn: loop, watching: watcher)
        : try LoopEvents(on: loop, watching: watcher, watchesClock: true)
    }
    let control = try options.control.map { path in
      try Self.orProblem(path) {
        try ControlSocket(
          at: path, on: loop, isOpenToAll: setup.site?.site.apps.contains { $0.user != nil } ?? false
        ) { [weak events] in events?.notifyReady() }
      }
    }
    let policies = PolicyStore(
      setup: setup, wallClock: clock.wallClock, loaded: loaded, kept: saved?.state, at: options.state,
      on: loop, notify: { [weak events] in events?.notifyReady() }, load: access.load, log: log)
    let plugins = try setup.plugins { events.notifyReady() }
    let clients = ClientConnections(
      ClientAccess(setup.site?.site.apps ?? []), vocabulary: setup.vocabulary,
      declared: Set(setup.declares.map(\.path)), reserved: Set(setup.script.clients.map(\.name)), log: log)
    let own = DaemonEvents(clock: clock.wallClock, policies: policies, report: report)
    let parts = Parts(
      plugins: plugins, events: events, policies: policies,
      connections: ControlConnections(control, clients), questions: questions(policies, setup),
      observer: ObserverPair(ObserverPair(own, observer), clients))
    let run = self
    let (finish, end) = try Spawner.run(on: loop) { () async throws(Problem) in
      try await run.drive(parts)
    }.get()
    return Outcome(finish: finish, start: setup.script.start, end: end, policies: policies)
  }

  /// The parts that exist only while the daemon runs.
  private struct Parts: Sendable {
    let plugins: PluginSet
    let events: LoopEvents
    let policies: PolicyStore
    let connections: ControlConnections
    let questions: any ControlQuestions
    let observer: any HostObserver
  }

  private var log: @Sendable (String) -> Void { { [report] in report(.notice($0)) } }

  private var watchTargets: [WatchTarget] {
    let policies: WatchTarget =
      Folder.entry(at: options.policies) == .folder
      ? .folder(options.policies, suffix: ".stint") : .file(options.policies)
    let site: [WatchTarget] = setup.site.map { ([$0.path] + $0.descriptors).map { .file($0) } } ?? []
    let journal: [WatchTarget] = options.journal.map { [.folder($0, suffix: "")] } ?? []
    return [policies] + site + clock.targets + journal
  }

  private static func orProblem<Value>(
    _ place: String, _ body: () throws -> Value
  ) throws(Problem) -> Value {
    do {
      return try body()
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.file, place: place, cause: "\(error)", remedy: "check whether another process uses it")
    }
  }

  // MARK: The run

  /// Runs the host on the loop until the end.
  private func drive(_ parts: Parts) async throws(Problem) -> (RunFinish, Instant) {
    let memory = saved.flatMap { $0.continuesDay ? $0.state.memory : nil }
    let wallClock = clock.wallClock
    let policies = parts.policies
    let governor = Governor(vocabulary: setup.vocabulary, timeZone: setup.timeZone, at: start)
    var journal: JournalRecorder?
    if let path = options.journal {
      journal = JournalRecorder(
        writer: try JournalFolder.begin(
          in: path, limit: options.journalLimit.map { JournalLimit(bytes: $0) }, room: policies.disk),
        world: setup.journalWorld, at: start, durability: .each(.seconds(10)))
    }
    var source = ScriptSource(setup.script, vocabulary: setup.vocabulary)
    if let memory, setup.site == nil { source.resume(at: start, activeDemands: Set(memory.demands)) }
    let host = Host(
      governor: governor, plugins: parts.plugins, source: source, observer: parts.observer, journal: journal,
      filter: setup.filter(parts.plugins, disk: policies.disk))
    await host.open()
    if wallClock.rules.ahead != .zero { await host.follow(wallClock.resumed(at: start), at: start) }
    await begin(host, policies, memory)
    if let change = wallClock.change(at: start) { await host.follow(change, at: start) }
    ProgramText.release()
    let pace = DaemonPacer(events: parts.events, clock: wallClock.clock, wallClock: wallClock) {
      [log] number in
      if let sentence = Self.sentence(on: number) { log(sentence) }
    }
    let follower = setup.site.flatMap { SiteFollower($0, on: loop, log: log) }
    await host.run(
      until: setup.script.end, pace: pace,
      reload: { host, instant in
        follower?.follow()
        clock.read()
        await host.checkJournal(at: instant)
        reload(host, policies)
      },
      attend: { host, instant in
        await policies.applyPrepared(host, at: instant)
        await parts.connections.attend(parts.questions, host, at: instant)
      })
    // Real devices work until the present instant, so a run on a site ends then. A simulated run ends at the
    // host's time.
    let end = setup.site == nil ? await host.now : max(await host.now, pace.now)
    await policies.finish(host, at: end)
    await parts.connections.close(host, at: end)
    await host.close(at: end)
    log("ended at \(LocalMoment(end, wallClock.rules)); every device is off")
    return (await host.finish, max(end, await host.now))
  }

  /// Puts the first policies in force: the saved policies, or those of the watched files when none are saved.
  /// Then applies the watched files when they have changed since the policies were saved or read.
  private func begin(_ host: isolated Host, _ policies: PolicyStore, _ memory: GovernorMemory?) async {
    let time = LocalMoment(start, clock.wallClock.rules)
    await policies.begin(host, recalling: memory, at: start)
    log(greeting)
    if saved != nil {
      log(
        memory == nil
          ? "the saved simulated day has ended; a new day begins"
          : "\(time) continues where it was interrupted")
    }
    // Compare the files once: the watch does not report edits from before it began.
    let sources: [SourceText]
    do { sources = try access.read() } catch {
      log("\(time) \(error)")
      return
    }
    guard policies.noteWatchedTexts(sources) else { return }
    if let outcome = await policies.change(to: sources, host, at: start) { log(outcome.text) }
  }

  /// Submits an edit after a change of the policies or of the site. Changed policies come into force all
  /// together or not at all.
  private func reload(_ host: isolated Host, _ policies: PolicyStore) {
    policies.submit(PolicyEdit(kind: .files(access.read)) { [log] in log($0.text) }, host)
  }

  /// Returns the log line for a signal; nil for signals that need no explanation.
  private static func sentence(on number: Int32) -> String? {
    let name = SignalTable.name(of: number)
    switch SignalTable.response(to: number) {
    case .reload: return "\(name): policies and site are read again"
    case .refuse: return "\(name) is ignored: a stopped daemon would leave devices on; use Ctrl-C to end it"
    case .end, .endIfSent: return [SIGINT, SIGTERM].contains(number) ? nil : "\(name): the run ends"
    case .ignore, .leave, .uncatchable: return nil
    }
  }

  private var greeting: String {
    let names = loaded.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
    let count = setup.vocabulary.manifests.count
    let devices = count == 1 ? "1 device" : "\(count) devices"
    let pace = setup.site == nil ? "at \(options.speed) times real time" : "on real hardware"
    return "\(setup.name) \(pace), \(devices), \(names); \(options.policies) is watched, Ctrl-C ends"
  }
}
