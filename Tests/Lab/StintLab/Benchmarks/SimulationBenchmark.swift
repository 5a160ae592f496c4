import StintFormats
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// The speed of a simulation on this computer: the same run is repeated several times, after a warm-up run.
struct SimulationBenchmark: Hashable, Sendable {
  var request: SimulationRequest
  /// The simulated seconds in each run.
  var simulatedSeconds: Double
  /// The real seconds of each run after the warm-up run, sorted.
  var wallSeconds: [Double]
  /// The peak memory of the process, in bytes.
  var peakMemory: Int64
  /// The computer of the run: its system and its processors.
  var machine: String
  /// The hash of the decision log, which is equal in all runs.
  var decisionLogHash: String

  /// Simulated time divided by real time, for the median run.
  var factor: Double { simulatedSeconds / max(median, 1e-9) }
  /// The real seconds of the median run.
  var median: Double { wallSeconds.isEmpty ? 0 : wallSeconds[wallSeconds.count / 2] }

  /// Runs the request `runs` times after one warm-up run.
  ///
  /// - Throws: a problem when the scenario or a policy is unusable, or when two runs decide differently.
  init(_ request: SimulationRequest, runs: Int, progress: (Int) -> Void = { _ in }) throws {
    let run = try SimulationRun(request)
    let first = try run.run()
    var seconds: [Double] = []
    for number in 0..<runs {
      progress(number + 1)
      let outcome = try run.run()
      guard outcome.report.decisionLogHash == first.report.decisionLogHash else {
        throw Problem(
          .content, place: "bench sim", cause: "two runs decided differently",
          remedy: "this is a bug in Stint; please report it")
      }
      seconds.append(outcome.wallSeconds)
    }
    self.request = request
    simulatedSeconds = first.report.duration.seconds
    wallSeconds = seconds.sorted()
    peakMemory = SystemUsage.peakMemory()
    machine = SystemUsage.machine()
    decisionLogHash = first.report.decisionLogHash
  }

  /// Returns the figures as a table for people.
  func text(_ paint: Paint = .plain) -> String {
    let name = request.policies.isEmpty ? "none" : request.policies.joined(separator: " ")
    var table = TextTable()
    table.add(["\(name) on \(request.scenario)", ""], .heading)
    table.add(["  times real time, median", Amounts.count(Int(factor))], .total)
    table.add([
      "  slowest and fastest",
      "\(Amounts.count(Int(simulatedSeconds / (wallSeconds.last ?? 1)))) … "
        + Amounts.count(Int(simulatedSeconds / (wallSeconds.first ?? 1))),
    ])
    table.add(["  one run", "\(Quantity.number(median * 1000)) ms"])
    table.add(["  runs", Amounts.count(wallSeconds.count)])
    table.add(["  peak memory", Quantity(Double(peakMemory), .data).description])
    return table.text(paint) + "\n" + paint.quiet("  \(machine)\n  log sha256 \(decisionLogHash)")
  }

  /// The figures as one JSON object on one line.
  var jsonText: String {
    JSONWriter.text(of: [
      "policies": JSONValue(request.policies.map { JSONValue($0) }), "scenario": JSONValue(request.scenario),
      "factor": JSONValue(factor), "median_s": JSONValue(median),
      "wall_s": JSONValue(wallSeconds.map { JSONValue($0) }), "peak_memory_bytes": JSONValue(peakMemory),
      "machine": JSONValue(machine), "decision_log_sha256": JSONValue(decisionLogHash),
    ])
  }
}
