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

/// The bus at work on real hardware or on a simulated phone, at a pace that people can watch, with policies that
/// may be edited.
///
/// Everything runs on the calling thread, but for what plugins wait for on their own. An edit is checked as a whole:
/// a good one comes into force between two steps, a broken one is refused with its diagnostics and what was in force stays.
public struct LiveRun: Sendable {
  /// How the run speaks; called on its thread.
  public struct Voice: Sendable {
    /// A decision, with the local time at which it was taken.
    public var decision: @Sendable (String) -> Void
    /// What happens around decisions: the start, reloads, refusals, the end.
    public var talk: @Sendable (String) -> Void

    /// Speaks through two functions.
    public init(decision: @escaping @Sendable (String) -> Void, talk: @escaping @Sendable (String) -> Void) {
      self.decision = decision
      self.talk = talk
    }
  }

  private let request: LiveRequest
  private let stage: SimulationStage
  private let voice: Voice
  private let loaded: PolicyLoader.Loaded

  /// Reads scenario or site, and policies; nothing runs yet.
  ///
  /// - Parameter linked: the plugins that a site may name.
  public init(_ request: LiveRequest, linked: [LinkedPlugin] = [], voice: Voice) throws {
    self.request = request
    self.voice = voice
    switch request.devices {
    case .simulated(let scenario):
      stage = try SimulationStage(
        scenario: scenario, trace: request.trace, timeZone: request.timeZone, seed: request.seed)
    case .site(let path):
      stage = try SimulationStage(site: path, timeZone: request.timeZone, linked: linked)
    }
    loaded = try stage.load(policies: [request.policies])
  }

  /// Runs until the scenario's end, SIGINT or SIGTERM; then every device is off. Blocks until then.
  public func run() throws -> SimulationReport {
    let loop = try Self.orToolError("the loop") { try LoopExecutor() }
    let target: WatchTarget =
      Folder.entry(at: request.policies) == .folder
      ? .folder(request.policies, suffix: ".stint") : .file(request.policies)
    let watcher = try Self.orToolError(request.policies) { try FolderWatcher([target]) }
    let events = try Self.orToolError("signals") {
      try LoopEvents(on: loop, signals: [SIGINT, SIGTERM], watching: watcher)
    }
    let meter = EnergyMeter()
    let timeZone = stage.scenario.timeZone
    let voice = voice
    let recorder = RunRecorder(
      world: stage.world, start: stage.scenario.start, meter: meter, wantsPlan: false,
      listener: { line, instant in
        let text = "\(LocalMoment(instant, timeZone)) \(line)"
        // A fault is heard where decisions are not asked for.
        if line.hasPrefix("refused: ") { voice.talk(text) } else { voice.decision(text) }
      },
      noticer: { line, instant in voice.talk("\(LocalMoment(instant, timeZone)) \(line)") })
    let plugins = try stage.plugins(meter: meter, seed: request.seed) { _ in events.notifyReady() }
    let run = self
    let ending = Spawner.run(on: loop) { await run.drive(plugins, recorder, events) }
    let (finish, end) = ending.get()
    if let failure = finish.journalFailure, !finish.hasRun {
      throw ToolError(.file, place: failure.source, cause: failure.cause, nextStep: failure.step)
    }
    let summary = SimulationRequest(
      policies: loaded.sources.map(\.file), scenario: place, trace: request.trace,
      timeZone: request.timeZone, seed: request.seed)
    return stage.report(summary, finish, recorder, at: end)
  }

  /// The scenario or the site file, as it was named.
  private var place: String {
    switch request.devices {
    case .simulated(let scenario): scenario
    case .site(let path): path
    }
  }

  private static func orToolError<Value>(_ place: String, _ body: () throws -> Value) throws(ToolError)
    -> Value
  {
    do {
      return try body()
    } catch {
      throw ToolError(.file, place: place, cause: "\(error)", nextStep: "see what else uses it")
    }
  }

  /// The run itself, on the loop.
  private func drive(
    _ plugins: PluginSet, _ recorder: RunRecorder, _ events: LoopEvents
  ) async -> (RunFinish, Instant) {
    let start = stage.scenario.start
    let clock =
      stage.site?.clock
      ?? PacedClock(start: start, anchor: SystemClock.monotonic(), speed: request.speed)
    let governor = Governor(vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: start)
    var journal: JournalRecorder?
    do throws(JournalError) {
      if let path = request.journal {
        journal = JournalRecorder(
          writer: try JournalWriter(
            creating: path, limit: request.journalLimit.map { JournalLimit(bytes: $0) }),
          world: stage.journalWorld, at: start, durability: .each(.seconds(10)))
      }
    } catch {
      return (
        RunFinish(governor: governor, decisions: 0, digest: "", journalFailure: error, hasRun: false), start
      )
    }
    let host = Host(
      governor: governor, plugins: plugins,
      source: ScenarioSource(stage.scenario, vocabulary: stage.vocabulary), observer: recorder,
      journal: journal)
    await host.open()
    if let program = loaded.program {
      do throws(ReloadError) {
        try await host.load(program, policies: loaded.journalPolicies, at: start)
      } catch {
        preconditionFailure("policies compiled for this phone are not put in force: \(error)")
      }
    }
    voice.talk(greeting)
    ProgramText.release()
    let pace = EventPace(events: events, clock: clock)
    await host.run(until: stage.end, pace: pace) { host, instant in await reload(host, at: instant) }
    // Real devices spoke until now; a simulated phone's time is the host's.
    let end = stage.site == nil ? await host.now : max(await host.now, pace.now)
    await host.close(at: end)
    voice.talk("ended at \(LocalMoment(end, stage.scenario.timeZone)); every device is off")
    let decisions = await host.decisions
    let finish = RunFinish(
      governor: await host.snapshot, decisions: decisions.count, digest: decisions.digest,
      journalFailure: await host.journalFailure)
    return (finish, max(end, await host.now))
  }

  private var greeting: String {
    let names = loaded.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
    let count = stage.vocabulary.manifests.count
    let devices = count == 1 ? "1 device" : "\(count) devices"
    let pace = stage.site == nil ? "at \(request.speed) times real time" : "on real hardware"
    return
      "\(stage.scenario.name) \(pace), \(devices), \(names); \(request.policies) is watched, Ctrl-C ends"
  }

  /// Something changed where the policies are: all of them come into force anew, or none.
  private func reload(_ host: isolated Host, at instant: Instant) async {
    let time = LocalMoment(instant, stage.scenario.timeZone)
    do {
      let fresh = try stage.load(policies: [request.policies])
      guard let program = fresh.program else { return }
      let report = try await host.load(program, policies: fresh.journalPolicies, at: instant)
      let names = fresh.policies.map { "\($0.name) version \($0.version)" }.joined(separator: ", ")
      voice.talk("\(time) reloaded \(names): \(report.summary)")
      if !report.entries.isEmpty { voice.talk(report.worded(by: loaded).text) }
    } catch let refusal as PolicyRefusal {
      voice.talk(refusal.check.text(.plain))
      voice.talk("\(time) the edit is refused; what was in force stays")
    } catch {
      voice.talk("\(time) \(error)")
      voice.talk("\(time) nothing was loaded; what was in force stays")
    }
  }
}
