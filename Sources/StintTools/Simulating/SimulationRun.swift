import StintDaemon
import StintFormats
import StintGovernor
import StintJournal
public import StintLanguage
import StintModel
import StintPluginHost
public import StintPluginKit
import StintRuntime
import StintSimulation
import StintUnits

/// A run of a scenario on a simulated phone under policies, in virtual time.
public struct SimulationRun: Sendable {
  /// The results of a run, with the diagnostics of its policies.
  public struct Outcome: Sendable {
    /// The report of the run.
    public var report: SimulationReport
    /// The diagnostics of the policies.
    public var diagnostics: [Diagnostic]
    /// The texts of the policies.
    public var sources: [SourceText]
    /// The real time of the run in seconds.
    public var wallSeconds: Double
  }

  let request: SimulationRequest
  let stage: SimulationStage
  let loaded: PolicyLoader.Loaded

  /// Reads scenario, track and policies; `run()` starts the run.
  ///
  /// - Parameter linked: the plugins that a site file may name.
  /// - Throws: `Problem` when an input cannot be read; `PolicyRefusal` when a policy has errors.
  public init(_ request: SimulationRequest, linked: [LinkedPlugin] = []) throws {
    let devices = try PolicyDevices(simulating: request.site, manifests: request.manifests, linked: linked)
    try self.init(request, devices) { stage in try stage.load(policies: request.policies) }
  }

  /// Creates a run with policies from memory instead of files, on devices that were read before.
  init(_ request: SimulationRequest, devices: PolicyDevices?, sources: [SourceText]) throws {
    try self.init(request, devices) { stage in try stage.load(sources) }
  }

  private init(
    _ request: SimulationRequest, _ devices: PolicyDevices?,
    load: (SimulationStage) throws -> PolicyLoader.Loaded
  ) throws {
    self.request = request
    stage = try SimulationStage(
      scenario: request.scenario, trace: request.trace, motion: request.motion, timeZone: request.timeZone,
      seed: request.seed,
      profile: request.profile, openSky: request.openSky, devices: devices)
    loaded = try load(stage)
  }

  /// Runs until the end of the track, of the recorded motion or of the scenario, and blocks until then.
  ///
  /// A plan that cannot be written is noted in the report.
  ///
  /// - Parameter progress: called at intervals, on any thread of the run, with the completed share from 0 to
  ///   1.
  /// - Throws: `Problem` when the journal cannot be created.
  public func run(progress: (@Sendable (Double) -> Void)? = nil) throws -> Outcome {
    try run(beside: progress.map { RunProgress(start: stage.scenario.start, end: stage.end, report: $0) })
  }

  func run(beside other: (any HostObserver)?) throws -> Outcome {
    let meter = EnergyMeter()
    let recorder = RunRecorder(
      world: stage.world, start: stage.scenario.start, meter: meter, wantsPlan: request.plan != nil)
    let page =
      request.wantsTimeline
      ? PageRecorder(vocabulary: stage.vocabulary, start: stage.scenario.start, limits: .standard) : nil
    var observer: any HostObserver = recorder
    for further in [page, other].compactMap({ $0 }) { observer = ObserverPair(observer, further) }
    let watching = observer
    let plugins = try stage.plugins(meter: meter, seed: request.seed)
    let began = SystemClock.monotonic()
    let run = self
    let finish = try spawn { () async throws(Problem) in try await run.drive(plugins, watching) }
    let wall = (SystemClock.monotonic() - began).seconds
    var report = SimulationReport(
      request, place: stage.scenario.name, profile: stage.profile.name, finish, recorder,
      from: stage.scenario.start, to: stage.end)
    report.planProblem = writePlan(recorder.planLines)
    report.timeline = try page.map { try timeline($0, report) }
    return Outcome(
      report: report, diagnostics: loaded.diagnostics,
      sources: loaded.sources, wallSeconds: wall)
  }

  private func timeline(_ page: PageRecorder, _ report: SimulationReport) throws -> RunTimeline {
    var notes: [RuleID: String] = [:]
    for rule in report.rules.keys { notes[rule] = "" }
    for rule in loaded.policies.flatMap(\.rules) { notes[rule.id] = rule.note ?? "" }
    return try page.timeline(
      until: stage.end, spent: report.ledger.total, notes: notes, world: stage.world,
      timeZone: stage.scenario.timeZone)
  }

  /// Runs the host on the current executor until the end.
  private func drive(
    _ plugins: PluginSet, _ observer: any HostObserver
  ) async throws(Problem) -> RunFinish {
    let start = stage.scenario.start
    let governor = Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start)
    var journal: JournalRecorder?
    let room = DiskFullSwitch()
    if let path = request.journal {
      journal = JournalRecorder(
        writer: try JournalWriter(
          creating: path, limit: request.journalLimit.map { JournalLimit(bytes: $0) }, room: room),
        world: stage.journalWorld, at: start)
    }
    let host = Host(
      governor: governor, plugins: plugins,
      source: ScriptSource(stage.scenario.script, vocabulary: stage.vocabulary),
      observer: observer, journal: journal, isParallel: request.threads > 1,
      filter: stage.faults(plugins, seed: request.seed, room: room))
    await host.open()
    await load(on: host, at: start)
    for moment in ReloadTimes.all(request.reloads, seed: request.seed, before: stage.scenario.duration) {
      await host.run(until: start + moment)
      await load(on: host, at: start + moment)
    }
    await host.run(until: stage.end)
    await host.finishJournal(at: stage.end)
    return await host.finish
  }

  /// Puts the policies in force, or reloads them.
  private func load(on host: Host, at instant: Instant) async {
    guard let program = loaded.program else { return }
    do throws(Problem) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant)
    } catch {
      preconditionFailure("policies compiled for this phone must load: \(error)")
    }
  }

  // MARK: Threads

  /// Runs `body` on the calling thread, or on as many threads as requested.
  private func spawn<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(Problem) -> Value
  ) throws(Problem) -> Value {
    guard request.threads > 1 else {
      return try Spawner.run(on: try LoopExecutor()) { () async throws(Problem) in try await body() }.get()
    }
    let pool: PoolExecutor
    do {
      pool = try PoolExecutor(threads: request.threads)
    } catch {
      throw Problem(.file, place: "threads", cause: "\(error)", remedy: "give a lower number with --threads")
    }
    defer { pool.shutdown() }
    return try Spawner.run(on: pool) { () async throws(Problem) in try await body() }.get()
  }

  // MARK: Files

  /// Writes the plan. Returns the reason why it cannot be written; nil when it was written or not requested.
  private func writePlan(_ lines: [String]) -> Problem? {
    guard let path = request.plan else { return nil }
    do throws(Problem) {
      try FileText.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
      return nil
    } catch {
      return error
    }
  }
}
