import StintFormats
import StintGovernor
import StintJournal
public import StintLanguage
import StintModel
import StintPluginHost
import StintRuntime
import StintSimulation
import StintUnits

/// A scenario on a simulated phone under policies, in virtual time.
public struct SimulationRun: Sendable {
  /// What it came to, and what was said of the policies on the way.
  public struct Outcome: Sendable {
    public var report: SimulationReport
    public var diagnostics: [Diagnostic]
    public var sources: [SourceText]
    /// What devices and the governor refused, at most a hundred.
    public var refusals: [String]
    /// How long the run took on the wall, in seconds.
    public var wallSeconds: Double
  }

  let request: SimulationRequest
  let stage: SimulationStage
  let loaded: PolicyLoader.Loaded

  /// Reads scenario, trace and policies; nothing runs yet.
  public init(_ request: SimulationRequest) throws {
    try self.init(request) { stage in try stage.load(policies: request.policies) }
  }

  /// The same under policies whose texts are at hand.
  init(_ request: SimulationRequest, sources: [SourceText]) throws {
    try self.init(request) { stage in try stage.load(sources) }
  }

  private init(_ request: SimulationRequest, load: (SimulationStage) throws -> PolicyLoader.Loaded) throws {
    self.request = request
    stage = try SimulationStage(
      scenario: request.scenario, trace: request.trace, motion: request.motion, timeZone: request.timeZone,
      seed: request.seed,
      profile: request.profile, openSky: request.openSky)
    loaded = try load(stage)
  }

  /// Runs on threads of its own until the scenario's end; blocks until then.
  ///
  /// - Parameter progress: called now and then on such a thread with how much is done, from 0 to 1.
  public func run(progress: (@Sendable (Double) -> Void)? = nil) throws -> Outcome {
    try run(beside: progress.map { RunProgress(start: stage.scenario.start, end: stage.end, report: $0) })
  }

  /// Runs with one more observer.
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
    let finish = try spawn { await run.drive(plugins, watching) }
    let wall = (SystemClock.monotonic() - began).seconds
    if let failure = finish.journalFailure, !finish.hasRun {
      throw failure
    }
    try writePlan(recorder.planLines)
    var report = stage.report(request, finish, recorder, at: stage.end)
    report.timeline = try page.map { try timeline($0, report) }
    return Outcome(
      report: report, diagnostics: loaded.diagnostics,
      sources: loaded.sources,
      refusals: recorder.refusals, wallSeconds: wall)
  }

  private func timeline(_ page: PageRecorder, _ report: SimulationReport) throws -> RunTimeline {
    var notes: [RuleID: String] = [:]
    for rule in report.rules.keys { notes[rule] = "" }
    for rule in loaded.policies.flatMap(\.rules) { notes[rule.id] = rule.note ?? "" }
    return try page.timeline(
      until: stage.end, spent: report.ledger.total, notes: notes, world: stage.world,
      timeZone: stage.scenario.timeZone)
  }

  /// The run itself, on whatever executor this is called.
  private func drive(_ plugins: PluginSet, _ observer: any HostObserver) async -> RunFinish {
    let start = stage.scenario.start
    let governor = Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start)
    var journal: JournalRecorder?
    let room = DiskSpace()
    do throws(Problem) {
      if let path = request.journal {
        journal = JournalRecorder(
          writer: try JournalWriter(
            creating: path, limit: request.journalLimit.map { JournalLimit(bytes: $0) }, room: room),
          world: stage.journalWorld, at: start)
      }
    } catch {
      return RunFinish(governor: governor, decisions: 0, digest: "", journalFailure: error, hasRun: false)
    }
    let host = Host(
      governor: governor, plugins: plugins,
      source: ScenarioSource(stage.scenario, vocabulary: stage.vocabulary),
      observer: observer, journal: journal, isParallel: request.threads > 1,
      filter: stage.faults(plugins, seed: request.seed, room: room))
    await host.open()
    if let program = loaded.program {
      do throws(Problem) {
        try await host.load(program, policies: loaded.journalPolicies, at: start)
      } catch {
        preconditionFailure("policies compiled for this phone are not put in force: \(error)")
      }
    }
    for moment in ReloadTimes.all(request.reloads, seed: request.seed, before: stage.scenario.duration) {
      await host.run(until: start + moment)
      await reload(host, at: start + moment)
    }
    await host.run(until: stage.end)
    await host.finishJournal(at: stage.end)
    let decisions = await host.decisions
    return RunFinish(
      governor: await host.snapshot, decisions: decisions.count, digest: decisions.digest,
      journalFailure: await host.journalFailure)
  }

  /// Puts the same policies in force again.
  private func reload(_ host: Host, at instant: Instant) async {
    guard let program = loaded.program else { return }
    do throws(Problem) {
      try await host.load(program, policies: loaded.journalPolicies, at: instant)
    } catch {
      preconditionFailure("policies that are in force are not put in force again: \(error)")
    }
  }

  // MARK: Threads

  /// Runs on one thread, the caller's, or on as many as were asked for.
  private func spawn<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) throws(Problem) -> Value {
    do throws(Problem) {
      guard request.threads > 1 else {
        return Spawner.run(on: try LoopExecutor()) { await body() }.get()
      }
      let pool = try PoolExecutor(threads: request.threads)
      defer { pool.shutdown() }
      return Spawner.run(on: pool) { await body() }.get()
    } catch {
      throw Problem(.file, place: "threads", cause: "\(error)", remedy: "ask for fewer with --threads")
    }
  }

  // MARK: Files

  private func writePlan(_ lines: [String]) throws {
    guard let path = request.plan else { return }
    try FileText.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: path)
  }
}
