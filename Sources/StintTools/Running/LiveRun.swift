import StintDaemon
import StintFormats
import StintGovernor
import StintJournal
import StintLanguage
import StintModel
import StintPluginHost
public import StintPluginKit
import StintRuntime
import StintSimulation
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A daemon run on real hardware or on a simulated phone at an adjustable speed. Its policies may be edited
/// during the run.
///
/// The steps run on the calling thread. Other threads do the blocking work of plugins, prepare edits and save
/// the state. An edit is checked as a whole: a valid edit comes into force between two steps; an invalid edit
/// is refused with its diagnostics, and the current policies stay in force.
public struct LiveRun: Sendable {
  /// The output functions of a run, called on its thread.
  public struct RunOutput: Sendable {
    /// Receives each decision, with its local time.
    public var decision: @Sendable (String) -> Void
    /// Receives all other events: the start, reloads, refusals and the end.
    public var log: @Sendable (String) -> Void

    /// Creates an output from two functions.
    public init(decision: @escaping @Sendable (String) -> Void, log: @escaping @Sendable (String) -> Void) {
      self.decision = decision
      self.log = log
    }
  }

  private let request: LiveRequest
  private let loop: LoopExecutor
  private let stage: SimulationStage
  private let voice: RunOutput
  /// The policies in force at the start.
  private let loaded: PolicyLoader.Loaded
  private let kept: PersistedState?
  private let locks: RunLocks
  /// The instant at which the run begins or continues.
  private let start: Instant
  private let clock: ClockFollower

  /// Reads the scenario or site, the policies and the saved state; `run()` starts the run.
  ///
  /// - Parameter linked: the linked plugins that a site may name.
  /// - Throws: `Problem` when an input cannot be read or another process uses a path; `PolicyRefusal` when a
  ///   policy has errors.
  public init(_ request: LiveRequest, linked: [LinkedPlugin] = [], voice: RunOutput) throws {
    self.request = request
    self.voice = voice
    locks = try RunLocks(request, log: voice.log)
    let loop = try Self.orProblem("the loop") { try LoopExecutor() }
    self.loop = loop
    var stage =
      switch request.devices {
      case .simulated(let scenario):
        try SimulationStage(
          scenario: scenario, trace: request.trace, timeZone: request.timeZone, seed: request.seed)
      case .site(let path):
        try SimulationStage(site: path, timeZone: request.timeZone, linked: linked, loop: loop)
      }
    let kept = request.state.flatMap { PersistedState(at: $0, stage: stage, log: voice.log) }
    let wallClock: WallClock
    if let site = stage.site {
      wallClock = site.clock
      // The clients of a site raise their demands at the instant at which the run continues.
      stage.scenario.start = kept?.resume(wallClock, log: voice.log) ?? stage.scenario.start
      start = stage.scenario.start
    } else {
      start = kept.flatMap { $0.continuesDay ? $0.state.memory.instant : nil } ?? stage.scenario.start
      wallClock = WallClock(
        stage.scenario.timeZone,
        clock: RunClock(start: start, anchor: SystemClock.monotonic(), speed: request.speed), reading: nil)
      if let kept, kept.continuesDay { wallClock.resume(at: start, ahead: kept.state.clock.ahead) }
    }
    clock = ClockFollower(
      wallClock, offsetFile: request.clockOffset, zone: stage.site == nil ? nil : stage.zoneName,
      log: voice.log)
    self.stage = stage
    self.kept = kept
    if let kept {
      _ = try stage.sources(of: [request.policies])
      loaded = kept.loaded
    } else {
      loaded = try stage.load(policies: [request.policies])
    }
  }

  /// Runs until the scenario's end or a terminating signal, then turns every device off. Blocks until then.
  ///
  /// - Throws: `Problem` when the journal, the socket or the watched files cannot be opened.
  public func run() throws -> LiveReport {
    let loop = loop
    let target: WatchTarget =
      Folder.entry(at: request.policies) == .folder
      ? .folder(request.policies, suffix: ".stint") : .file(request.policies)
    let site: [WatchTarget] =
      stage.site.map { site in
        ([site.path] + site.descriptors).map { .file($0) }
      } ?? []
    let journal: [WatchTarget] = request.journal.map { [.folder($0, suffix: "")] } ?? []
    let watcher = try Self.orProblem(request.policies) {
      try FolderWatcher([target] + site + clock.targets + journal)
    }
    let events = try Self.orProblem("signals") {
      request.hearsSignals
        ? try LoopEvents(daemonOn: loop, watching: watcher)
        : try LoopEvents(on: loop, watching: watcher, watchesClock: true)
    }
    let control = try request.control.map { path in
      try Self.orProblem(path) {
        try ControlSocket(
          at: path, on: loop, isOpenToAll: stage.site?.site.apps.contains { $0.user != nil } ?? false
        ) { [weak events] in events?.notifyReady() }
      }
    }
    let meter = EnergyMeter()
    let wallClock = clock.wallClock
    let voice = voice
    let policies = LivePolicies(
      stage: stage, wallClock: wallClock, loaded: loaded, kept: kept?.state, at: request.state, on: loop,
      notify: { [weak events] in events?.notifyReady() }, log: voice.log)
    let recorder = RunRecorder(
      world: stage.world, start: stage.scenario.start, meter: meter, wantsPlan: false,
      keeper: { policies.save($0, isUrgent: false) },
      listener: { line, instant in
        let text = "\(LocalMoment(instant, wallClock.rules)) \(line)"
        // Refusals go to the log, because the option --quiet hides decisions.
        if line.hasPrefix("refused: ") { voice.log(text) } else { voice.decision(text) }
      },
      noticer: { line, instant in voice.log("\(LocalMoment(instant, wallClock.rules)) \(line)") })
    let plugins = try stage.plugins(meter: meter, seed: request.seed) { _ in events.notifyReady() }
    let run = self
    let door = ClientConnections(
      ClientAccess(stage.site?.site.apps ?? []), vocabulary: stage.vocabulary,
      declared: Set(stage.scenario.declares.map(\.path)),
      reserved: Set(stage.scenario.clients.map(\.name)), log: voice.log)
    let ending = Spawner.run(on: loop) {
      await run.drive(plugins, recorder, events, policies, ControlConnections(control, door))
    }
    let (finish, end) = ending.get()
    if let failure = finish.journalFailure, !finish.hasRun {
      throw failure
    }
    let summary = SimulationRequest(
      policies: policies.loaded.sources.map(\.file), scenario: place, trace: request.trace,
      timeZone: request.timeZone, seed: request.seed)
    return LiveReport(
      simulation: stage.report(summary, finish, recorder, at: end), reloads: policies.reports)
  }

  /// The scenario or the site file, as the request names it.
  private var place: String {
    switch request.devices {
    case .simulated(let scenario): scenario
    case .site(let path): path
    }
  }

  private static func orProblem<Value>(_ place: String, _ body: () throws -> Value) throws(Problem)
    -> Value
  {
    do {
      return try body()
    } catch let problem as Problem {
      throw problem
    } catch {
      throw Problem(.file, place: place, cause: "\(error)", remedy: "check whether another process uses it")
    }
  }

  /// Runs the host on the loop until the end.
  private func drive(
    _ plugins: PluginSet, _ recorder: RunRecorder, _ events: LoopEvents, _ policies: LivePolicies,
    _ door: ControlConnections
  ) async -> (RunFinish, Instant) {
    let memory = kept.flatMap { $0.continuesDay ? $0.state.memory : nil }
    let wallClock = clock.wallClock
    let governor = Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start)
    var journal: JournalRecorder?
    let room = policies.room
    do throws(Problem) {
      if let path = request.journal {
        journal = JournalRecorder(
          writer: try JournalFolder.begin(
            in: path, limit: request.journalLimit.map { JournalLimit(bytes: $0) }, room: room),
          world: stage.journalWorld, at: start, durability: .each(.seconds(10)))
      }
    } catch {
      return (
        RunFinish(governor: governor, decisions: 0, digest: "", journalFailure: error, hasRun: false), start
      )
    }
    var source = ScenarioSource(stage.scenario, vocabulary: stage.vocabulary)
    if let memory, stage.site == nil { source.resume(at: start, activeDemands: Set(memory.demands)) }
    let host = Host(
      governor: governor, plugins: plugins, source: source, observer: ObserverPair(recorder, door.clients),
      journal: journal,
      filter: stage.site == nil ? stage.faults(plugins, seed: request.seed, room: room) : nil)
    await host.open()
    if wallClock.rules.ahead != .zero {
      await host.follow(wallClock.resumed(at: start), at: start)
    }
    await begin(host, policies, memory, at: start)
    if let change = wallClock.change(at: start) { await host.follow(change, at: start) }
    ProgramText.release()
    let pace = DaemonPacer(events: events, clock: wallClock.clock, wallClock: wallClock) { [voice] number in
      if let sentence = Self.sentence(on: number) { voice.log(sentence) }
    }
    let answers = ControlAnswers(policies: policies, stage: stage, log: voice.log)
    let follower = stage.site.flatMap { SiteFollower($0, on: loop, log: voice.log) }
    await host.run(
      until: stage.end, pace: pace,
      reload: { host, instant in
        follower?.follow()
        clock.read()
        await host.checkJournal(at: instant)
        reload(host, policies)
      },
      attend: { host, instant in
        await policies.applyPrepared(host, at: instant)
        await door.attend(answers, host, at: instant)
      })
    // Real devices work until the present instant, so a run on a site ends then. A simulated run ends at the
    // host's time.
    let end = stage.site == nil ? await host.now : max(await host.now, pace.now)
    await policies.finish(await host.snapshot)
    for report in policies.drainReports() { await host.note(report, at: end) }
    await door.close(host, at: end)
    await host.close(at: end)
    voice.log("ended at \(LocalMoment(end, wallClock.rules)); every device is off")
    let decisions = await host.decisions
    let finish = RunFinish(
      governor: await host.snapshot, decisions: decisions.count, digest: decisions.digest,
      journalFailure: await host.journalFailure)
    return (finish, max(end, await host.now))
  }

  /// Puts the first policies in force: the saved policies, or those of the watched files when none are saved.
  /// Then applies the watched files when they have changed since the policies were saved or read.
  private func begin(
    _ host: isolated Host, _ policies: LivePolicies, _ memory: GovernorMemory?, at start: Instant
  ) async {
    await policies.begin(host, recalling: memory, at: start)
    voice.log(greeting)
    if kept != nil {
      let time = LocalMoment(start, clock.wallClock.rules)
      voice.log(
        memory == nil
          ? "the saved simulated day has ended; a new day begins"
          : "\(time) continues where it was interrupted")
    }
    // Compare the files once: the watch does not report edits from before it began.
    let sources: [SourceText]
    do { sources = try stage.sources(of: [request.policies]) } catch {
      voice.log("\(LocalMoment(start, clock.wallClock.rules)) \(error)")
      return
    }
    guard policies.see(sources.map { JournalPolicy(file: $0.file, text: $0.text) }) else { return }
    if let outcome = await policies.change(to: sources, host, at: start) { voice.log(outcome.text) }
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
    let count = stage.vocabulary.manifests.count
    let devices = count == 1 ? "1 device" : "\(count) devices"
    let pace = stage.site == nil ? "at \(request.speed) times real time" : "on real hardware"
    return
      "\(stage.scenario.name) \(pace), \(devices), \(names); \(request.policies) is watched, Ctrl-C ends"
  }

  /// Submits an edit after a change of the policies or of the site. Changed policies come into force all
  /// together or not at all.
  private func reload(_ host: isolated Host, _ policies: LivePolicies) {
    let stage = stage
    let path = request.policies
    let voice = voice
    let edit = LiveEdit(kind: .files { try stage.sources(of: [path]) }) { voice.log($0.text) }
    policies.submit(edit, host)
  }
}
