import StintFormats
import StintModel
import StintTools
import StintUnits

/// The result of many runs with random faults.
struct SwarmReport: Hashable, Sendable {
  /// A run that broke an invariant.
  struct Finding: Hashable, Sendable {
    var seed: UInt64
    var broken: [BrokenInvariant]
  }

  /// The request, from which the report derives the command that repeats a seed.
  let request: SimulationRequest
  private(set) var runs = 0
  private(set) var faults = 0
  /// The number of daemon crashes, each followed by a daemon that restored the saved state.
  private(set) var restarts = 0
  private(set) var samples = 0
  /// The number of notices that services delivered to clients.
  private(set) var notices = 0
  private(set) var decisions = 0
  private(set) var findings: [Finding] = []

  init(request: SimulationRequest) { self.request = request }

  mutating func add(seed: UInt64, _ day: SwarmDay.Outcome, watches: SwarmWatches) {
    runs += 1
    faults += day.faults
    restarts += day.restarts
    samples += watches.devices.delivered
    notices += watches.services.notices
    decisions += day.decisions
    let broken = watches.broken
    if !broken.isEmpty { findings.append(Finding(seed: seed, broken: broken)) }
  }

  func repeatCommand(_ seed: UInt64) -> String {
    let policies = request.policies.isEmpty ? "none" : request.policies.joined(separator: " ")
    let trace = request.trace.map { " --trace \($0)" } ?? ""
    return "stint-lab swarm \(policies) --scenario \(request.scenario)\(trace) --count 1 --seed \(seed)"
  }

  /// The report for people.
  var text: String {
    var lines = [
      "runs: \(runs), faults: \(faults), restarts: \(restarts), decisions: \(decisions), "
        + "delivered samples: \(samples), delivered notices: \(notices); "
        + (findings.isEmpty ? "no invariant broken" : "runs that broke an invariant: \(findings.count)")
    ]
    for finding in findings {
      for broken in finding.broken {
        lines.append("  seed \(finding.seed) at \(broken.at): \(broken.rule.rawValue): \(broken.sentence)")
      }
      lines.append("  repeat with: \(repeatCommand(finding.seed))")
    }
    return lines.joined(separator: "\n")
  }

  /// The report for programs as JSON text.
  var jsonText: String { JSONWriter.text(of: json, .pretty) }

  /// The report for programs: one JSON object.
  var json: JSONValue {
    [
      "runs": JSONValue(.integer(Int64(runs))), "faults": JSONValue(.integer(Int64(faults))),
      "restarts": JSONValue(.integer(Int64(restarts))),
      "decisions": JSONValue(.integer(Int64(decisions))), "samples": JSONValue(.integer(Int64(samples))),
      "notices": JSONValue(.integer(Int64(notices))),
      "findings": JSONValue(.array(findings.map(json))),
    ]
  }

  private func json(_ finding: Finding) -> JSONValue {
    [
      "seed": JSONValue(.string(String(finding.seed))),
      "again": JSONValue(.string(repeatCommand(finding.seed))),
      "broken": JSONValue(
        .array(
          finding.broken.map { broken in
            [
              "rule": JSONValue(.string(broken.rule.rawValue)),
              "at_ns": JSONValue(.integer(broken.at.nanoseconds)),
              "sentence": JSONValue(.string(broken.sentence)),
            ]
          })),
    ]
  }
}
