import StintFormats
import StintModel
import StintRuntime
import StintTools
import StintUnits

/// How fast a simulation runs on this machine: the same run several times, after one that does not count.
struct SimulationBenchmark: Hashable, Sendable {
  var request: SimulationRequest
  /// Simulated seconds in each run.
  var simulatedSeconds: Double
  /// Seconds of each counted run, sorted.
  var wallSeconds: [Double]
  /// The most memory that the process ever held, in bytes.
  var peakMemory: Int64
  var machine: String
  /// Of the decision log: a wrong answer cannot be fast.
  var decisionLogHash: String

  /// Simulated over real seconds, of the median run.
  var factor: Double { simulatedSeconds / max(median, 1e-9) }
  /// Seconds of the run in the middle.
  var median: Double { wallSeconds.isEmpty ? 0 : wallSeconds[wallSeconds.count / 2] }

  /// Runs the request `runs` times and once more.
  ///
  /// Throws when the scenario or a policy cannot be used, or two runs decide differently.
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
          remedy: "this is a fault of stint; please report it")
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

  /// The figures for people.
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
