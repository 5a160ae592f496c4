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
      seed: request.seed)
    let loaded = try stage.load(policies: request.policies)
    let plugins = try stage.plugins(meter: EnergyMeter(), seed: request.seed)
    var swarm = FaultSwarm(seed: request.seed)
    let strikes =
      stage.scenario.faults + swarm.strikes(on: plugins.manifests, within: stage.scenario.duration)
    let watch = InvariantWatch(start: stage.scenario.start, manifests: plugins.manifests)
    let host = Host(
      governor: Governor(
        vocabulary: stage.vocabulary, timeZone: stage.scenario.timeZone, at: stage.scenario.start),
      plugins: plugins, source: ScenarioSource(stage.scenario, vocabulary: stage.vocabulary),
      observer: watch,
      filter: FaultFilter(
        strikes, manifests: plugins.manifests, start: stage.scenario.start, seed: request.seed))
    let end = stage.end
    let executor: LoopExecutor
    do throws(SystemError) {
      executor = try LoopExecutor()
    } catch {
      throw ToolError(.file, place: "threads", cause: "\(error)", nextStep: "close other programs")
    }
    let decisions = Spawner.run(on: executor) {
      await host.open()
      if let program = loaded.program {
        do throws(ReloadError) {
          try await host.load(program, policies: [], at: stage.scenario.start)
        } catch {
          preconditionFailure("policies compiled for this phone are not put in force: \(error)")
        }
      }
      await host.run(until: end)
      watch.settled(await host.snapshot, at: end)
      return await host.decisions.count
    }.get()
    report.add(
      seed: request.seed, strikes: strikes.count, samples: watch.delivered, decisions: decisions,
      broken: watch.broken)
  }
}
