import StintGovernor
import StintModel
import StintPluginHost
import StintRuntime
import StintSimulation
import StintUnits

/// A scenario under policies, again and again with other seeds and other faults, under checkers of what must never
/// happen.
public struct SwarmRun: Sendable {
  private let request: SimulationRequest
  private let count: Int

  /// Asks for runs with the seeds from the request's on.
  public init(_ request: SimulationRequest, count: Int) {
    self.request = request
    self.count = count
  }

  /// Runs them all on one thread; blocks until the last is over.
  ///
  /// - Parameter progress: called after each run with how many are through.
  public func run(progress: (Int) -> Void = { _ in }) throws -> SwarmReport {
    var report = SwarmReport(request: request)
    for number in 0..<count {
      var request = request
      request.seed = self.request.seed &+ UInt64(number)
      try Self.one(request, into: &report)
      progress(number + 1)
    }
    return report
  }

  private static func one(_ request: SimulationRequest, into report: inout SwarmReport) throws {
    let stage = try SimulationStage(
      scenario: request.scenario, trace: request.trace, motion: request.motion, timeZone: request.timeZone,
      seed: request.seed,
      changing: { scenario in
        guard scenario.beacons.isEmpty else { return }
        scenario.beacons = ServiceSwarm.beacons(along: try SimulationStage.places(of: scenario))
        if scenario.devices?.contains("radio.ble") == false { scenario.devices?.append("radio.ble") }
      })
    let loaded = try stage.load(policies: request.policies)
    let plugins = try stage.plugins(meter: EnergyMeter(), seed: request.seed)
    var swarm = FaultSwarm(seed: request.seed)
    let strikes =
      stage.scenario.faults + swarm.strikes(on: plugins.manifests, within: stage.scenario.duration)
    let watches = SwarmWatches(
      InvariantWatch(start: stage.scenario.start, manifests: plugins.manifests),
      ServiceWatch(start: stage.scenario.start, manifests: plugins.manifests))
    let clients = ServiceSwarm(
      seed: request.seed, start: stage.scenario.start, duration: stage.scenario.duration,
      places: try stage.places())
    let crowd = SwarmCrowd(
      clients.acts, cannotBackground: clients.cannotBackground, dice: SwarmDice(seed: request.seed, salt: 2))
    let host = Host(
      governor: Governor(
        vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: stage.scenario.start),
      plugins: plugins,
      source: CrowdSource(
        ScenarioSource(stage.scenario, vocabulary: stage.vocabulary), crowd, vocabulary: stage.vocabulary
      ) { watches.services.heard($0, at: $1) },
      observer: ObserverPair(ObserverPair(watches.devices, watches.services), crowd),
      filter: FaultFilter(
        strikes, manifests: plugins.manifests, start: stage.scenario.start, seed: request.seed))
    let executor: LoopExecutor
    do throws(SystemError) {
      executor = try LoopExecutor()
    } catch {
      throw ToolError(.file, place: "threads", cause: "\(error)", nextStep: "close other programs")
    }
    let decisions = Spawner.run(on: executor) { await drive(host, loaded, stage, watches) }.get()
    report.add(seed: request.seed, strikes: strikes.count, watches: watches, decisions: decisions)
  }

  /// Runs to the end and looks at the services once a minute; gives the number of decisions.
  private static func drive(
    _ host: Host, _ loaded: PolicyLoader.Loaded, _ stage: SimulationStage, _ watches: SwarmWatches
  ) async -> Int {
    let (start, end) = (stage.scenario.start, stage.end)
    await host.open()
    if let program = loaded.program {
      do throws(ReloadError) {
        try await host.load(program, policies: [], at: start)
      } catch {
        preconditionFailure("policies compiled for this phone are not put in force: \(error)")
      }
    }
    var next = start
    while next < end {
      next = min(next + .minutes(1), end)
      await host.run(until: next)
      watches.services.look(await host.serviceBoard, await host.snapshot, at: next)
    }
    watches.devices.settled(await host.snapshot, at: end)
    watches.services.finish(await host.serviceBoard, await host.snapshot, at: end)
    return await host.decisions.count
  }
}
