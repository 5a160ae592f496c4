import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits

/// Runs a scenario under policies once for each of several seeds, with faults drawn from the seed, and checks
/// invariants.
struct SwarmRun: Sendable {
  private let request: SimulationRequest
  private let count: Int

  /// Prepares one run for each of `count` consecutive seeds, starting at the request's seed.
  init(_ request: SimulationRequest, count: Int) {
    self.request = request
    self.count = count
  }

  /// Runs all seeds on one thread; blocks until the last run ends.
  ///
  /// - Parameter progress: called after each run with the number of completed runs.
  func run(progress: (Int) -> Void = { _ in }) throws -> SwarmReport {
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
    let day = try SwarmDay(request)
    let executor: LoopExecutor
    do throws(Problem) {
      executor = try LoopExecutor()
    } catch {
      throw Problem(.file, place: "threads", cause: "\(error)", remedy: "close other programs")
    }
    let result = Spawner.run(on: executor) { () -> Result<SwarmDay.Outcome, Problem> in
      do throws(Problem) { return .success(try await day.run()) } catch { return .failure(error) }
    }
    report.add(seed: request.seed, try result.get().get(), watches: day.watches)
  }
}
