import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits

/// A scenario under policies, again and again with other seeds and other faults, under checkers of what must never
/// happen.
struct SwarmRun: Sendable {
  private let request: SimulationRequest
  private let count: Int

  /// Asks for runs with the seeds from the request's on.
  init(_ request: SimulationRequest, count: Int) {
    self.request = request
    self.count = count
  }

  /// Runs them all on one thread; blocks until the last is over.
  ///
  /// - Parameter progress: called after each run with how many are through.
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
