import StintLanguage
import StintModel
import StintRuntime
import StintUnits

/// Runs policy texts on tracks, several at a time.
struct TuningRunner: Sendable {
  /// A policy text and a track to run it on.
  struct Job: Sendable {
    var source: SourceText
    var track: String
  }

  private struct State {
    var next = 0
    var results: [Result<TuningScore, any Error>?]

    /// Returns the index of the next free job. The index is past the last job when no job is free.
    mutating func take() -> Int {
      next += 1
      return next - 1
    }
  }

  let request: TuningRequest
  /// The simulated devices: those of a site or of the reference phone, and those of a manifest folder. Nil
  /// for the unchanged reference phone.
  let devices: PolicyDevices?
  /// Called between two runs; true skips the remaining jobs.
  let isInterrupted: @Sendable () -> Bool

  /// Runs jobs and returns their results in order; nil for a skipped job.
  func run(_ jobs: [Job]) throws -> [Result<TuningScore, any Error>?] {
    let state = Locked(State(results: Array(repeating: nil, count: jobs.count)))
    let runner = self
    @Sendable func work() {
      while !runner.isInterrupted() {
        let place = state.withLock { $0.take() }
        guard place < jobs.count else { return }
        let result = Result { try runner.score(jobs[place]) }
        state.withLock { $0.results[place] = result }
      }
    }
    if request.threads > 1, jobs.count > 1 {
      try Self.runInParallel(min(request.threads, jobs.count)) { work() }
    } else {
      work()
    }
    return state.withLock { $0.results }
  }

  private static func runInParallel(_ count: Int, _ body: @escaping @Sendable () -> Void) throws {
    let pool: PoolExecutor
    do throws(Problem) {
      pool = try PoolExecutor(threads: count)
    } catch {
      throw Problem(.file, place: "threads", cause: "\(error)", remedy: "give a lower number with --threads")
    }
    defer { pool.shutdown() }
    _ = Spawner.run(on: pool) {
      let tasks = (0..<count).map { _ in Spawner.start(on: pool) { body() } }
      for task in tasks { await task.value }
    }
  }

  private func score(_ job: Job) throws -> TuningScore {
    let simulation = SimulationRequest(
      policies: [request.policy], scenario: request.scenario, trace: job.track, seed: request.seed,
      profile: request.profile, openSky: request.openSky, site: request.site, manifests: request.manifests)
    let run = try SimulationRun(simulation, devices: devices, sources: [job.source])
    let judge = PositionJudge(
      world: run.stage.world, clients: Set(run.stage.scenario.clients.map(\.name)), bound: request.bound)
    let report = try run.run(beside: judge).report
    var score = judge.score(at: run.stage.end)
    score.energy = report.ledger.total
    score.floor = report.ledger.byRule[.floor] ?? .zero
    score.transfers = report.transfers.carried + report.transfers.missed
    score.lateTransfers = report.transfers.late
    return score
  }
}
