import StintDaemon
public import StintFormats
import StintModel
import StintUnits

extension SimulationReport {
  /// The report as `stint sim --json` prints it. Later versions only add members. `refusals` is
  /// present when a request or an input was refused.
  public var json: JSONValue {
    guard !refusals.isEmpty, case .object(let members) = results.content else { return results }
    return JSONValue(members + [JSONMember("refusals", JSONValue(refusals.map { JSONValue($0) }))])
  }

  private var results: JSONValue {
    [
      "policies": JSONValue(policies.map { JSONValue($0) }),
      "scenario": JSONValue(scenario),
      "trace": JSONValue(trace),
      "seed": JSONValue(Int64(clamping: seed)),
      "profile": JSONValue(profile),
      "duration_ns": JSONValue(duration.nanoseconds),
      "energy_nJ": [
        "total": JSONValue(ledger.total.nanojoules),
        "by_device": Self.object(ledger.byDevice) { JSONValue($0.nanojoules) },
        "by_client": Self.object(ledger.byClient) { JSONValue($0.nanojoules) },
        "by_rule": Self.object(ledger.byRule) { JSONValue($0.nanojoules) },
      ],
      "deliveries": Self.object(deliveries) { count in
        [
          "samples": JSONValue(count.samples), "batches": JSONValue(count.batches),
          "worst_gap_ns": JSONValue(count.worstGap.nanoseconds),
        ]
      },
      "accuracy": Self.object(accuracy) { record in
        [
          "error_p50_m": Self.number(record.medianError), "error_p95_m": Self.number(record.error95),
          "within_bound": Self.number(record.withinBound),
        ]
      },
      "wakeups": [
        "total": JSONValue(wakeups.total), "by_device": Self.object(wakeups.byDevice) { JSONValue($0) },
      ],
      "decisions": JSONValue(decisions),
      "decision_log_sha256": JSONValue(decisionLogHash),
      "fixes": JSONValue(fixes),
      "transfers": [
        "carried": JSONValue(transfers.carried), "bytes_up": JSONValue(transfers.bytesUp),
        "bytes_down": JSONValue(transfers.bytesDown), "late": JSONValue(transfers.late),
        "longest_wait_ns": JSONValue(transfers.longestWait.nanoseconds),
      ],
      "rules": Self.object(rules) { activity in
        [
          "activations": JSONValue(activity.activations),
          "in_force_ns": JSONValue(activity.inForce.nanoseconds),
        ]
      },
      "requirements": Self.object(requirements) { $0.json },
      "unexplained_ns": JSONValue(unexplained.nanoseconds),
      "site": JSONValue(site),
    ]
  }

  /// The report as one line of JSON.
  public var jsonText: String { ReportKind.simulation.text(of: json) }

  /// Returns an object whose members are sorted by key.
  private static func object<Key: Comparable & CustomStringConvertible, Value>(
    _ values: [Key: Value], _ json: (Value) -> JSONValue
  ) -> JSONValue {
    JSONValue(values.sorted { $0.key < $1.key }.map { JSONMember("\($0.key)", json($0.value)) })
  }

  private static func number(_ value: Double?) -> JSONValue { value.map { JSONValue($0) } ?? .null }
}
