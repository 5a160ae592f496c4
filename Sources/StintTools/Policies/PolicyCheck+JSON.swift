import StintAuthoring
import StintCompiler
import StintDaemon
public import StintFormats
import StintLanguage
import StintModel
import StintUnits

extension PolicyCheck {
  /// The check as `stint check --json` prints it. Later versions only add members.
  public var json: JSONValue {
    [
      "errors": JSONValue(count(.error)),
      "warnings": JSONValue(count(.warning)),
      "files": JSONValue(zip(summaries, missing).map(json)),
      "cost": cost.map(json) ?? .null,
      "bounds": JSONValue(bounds.map(json)),
      "readings": JSONValue(readings.map(\.json)),
      "requirements": JSONValue(policies.flatMap(\.requirements).compactMap(json)),
      "diagnostics": JSONValue(diagnostics.map(json)),
    ]
  }

  /// The check as one line of JSON.
  public var jsonText: String { ReportKind.check.text(of: json) }

  private func json(_ cost: ImageCost) -> JSONValue {
    var members = [
      JSONMember("worst_step", JSONValue(cost.worstStep)),
      JSONMember("state_slots", JSONValue(cost.stateSlots)),
    ]
    if cost.worstStepPerDemand > 0 {
      members += [
        JSONMember("worst_step_per_demand", JSONValue(cost.worstStepPerDemand)),
        JSONMember("state_slots_per_demand", JSONValue(cost.stateSlotsPerDemand)),
      ]
    }
    return JSONValue(members)
  }

  private func json(_ summary: PolicySummary, _ missing: [MissingDevice]) -> JSONValue {
    [
      "file": JSONValue(summary.file), "policy": JSONValue(summary.name),
      "version": summary.version.map { JSONValue($0) } ?? .null, "rules": JSONValue(summary.rules),
      "devices": JSONValue(summary.devices), "lets": JSONValue(summary.lets),
      "parameters": JSONValue(summary.parameters), "schedules": JSONValue(summary.schedules),
      "missing": JSONValue(
        missing.map { device -> JSONValue in
          [
            "device": JSONValue(device.device.path), "title": JSONValue(device.title),
            "required": JSONValue(device.isRequired),
            "providers": JSONValue(device.providers.map { JSONValue($0) }),
          ]
        }),
    ]
  }

  /// Returns `{"device": "location.gnss", "wakeups_per_hour": 74, "assuming": "…"}`. Without a bound, the
  /// member `unbounded` contains the reason.
  private func json(_ bound: WakeupBound) -> JSONValue {
    switch bound.limit {
    case .atMost(let count):
      [
        "device": JSONValue(bound.device.path), "wakeups_per_hour": JSONValue(count),
        "assuming": JSONValue(WakeupBound.assumption),
      ]
    case .unbounded(let reason):
      ["device": JSONValue(bound.device.path), "unbounded": JSONValue(reason)]
    }
  }

  /// Returns `{"requirement": "ebike/require-1", "text": "…", "verdict": "proved", "because": "…",
  /// "assuming": null}`. Nil for a requirement that is violated or was not verified; a violation appears
  /// among the diagnostics.
  private func json(_ requirement: CheckedRequirement) -> JSONValue? {
    let (verdict, because, assuming): (String, String, String?)
    switch requirement.verdict {
    case .proved(let reason, let outside): (verdict, because, assuming) = ("proved", reason, outside)
    case .watched(let reason): (verdict, because, assuming) = ("watched", reason, nil)
    case .open, .refuted: return nil
    }
    return [
      "requirement": JSONValue(requirement.id.description), "text": JSONValue(requirement.text),
      "verdict": JSONValue(verdict), "because": JSONValue(because),
      "assuming": assuming.map { JSONValue($0) } ?? .null,
    ]
  }

  private func json(_ diagnostic: Diagnostic) -> JSONValue {
    let source = sources.first { $0.file == diagnostic.file }
    let labels = diagnostic.labels.map { label in
      json(label.span, in: source, with: [JSONMember("text", JSONValue(label.text))])
    }
    let fix = diagnostic.fix.map { fix in
      json(fix.span, in: source, with: [JSONMember("replacement", JSONValue(fix.replacement))])
    }
    return [
      "code": JSONValue(diagnostic.code.name), "severity": JSONValue(diagnostic.severity.rawValue),
      "title": JSONValue(diagnostic.title), "file": JSONValue(diagnostic.file), "labels": JSONValue(labels),
      "hint": JSONValue(diagnostic.hint), "fix": fix ?? .null,
    ]
  }

  /// Returns a span as JSON. Lines and columns are counted from 1. A column is one character wide. The end is
  /// exclusive.
  private func json(_ span: SourceSpan, in source: SourceText?, with more: [JSONMember]) -> JSONValue {
    guard let source else { return JSONValue(more) }
    let start = source.position(of: span.start)
    let end = source.position(of: max(span.end, span.start))
    return JSONValue(
      [
        JSONMember("line", JSONValue(start.line)), JSONMember("column", JSONValue(start.column)),
        JSONMember("end_line", JSONValue(end.line)), JSONMember("end_column", JSONValue(end.column)),
      ] + more)
  }
}

extension ReadingNeed {
  /// Returns `{"rule": "p/r", "devices": ["location.gnss"], "while": ["battery.level < 10 %"], "period_ns":
  /// 5000000000, "paced": false, "place": false, "open_ns_per_day": null, "nJ_per_hour": 270100000000,
  /// "nJ_per_beginning": 6780000000, "most_nJ_per_day": 6480000000000, "assuming": null,
  /// "shared_with": null}`.
  var json: JSONValue {
    [
      "rule": JSONValue(rule.description), "devices": JSONValue(devices.map { JSONValue($0.path) }),
      "while": JSONValue(guards.map { JSONValue($0) }), "period_ns": JSONValue(period.nanoseconds),
      "paced": JSONValue(isPaced), "place": JSONValue(isPlace),
      "open_ns_per_day": longestOpen.map { JSONValue($0.nanoseconds) } ?? .null,
      "nJ_per_hour": JSONValue(Int64(clamping: perHour.nanojoules)),
      "nJ_per_beginning": JSONValue(Int64(clamping: perBeginning.nanojoules)),
      "most_nJ_per_day": JSONValue(Int64(clamping: maxPerDay.nanojoules)),
      "assuming": dependsOnDemands ? JSONValue(WakeupBound.assumption) : .null,
      "shared_with": sharedWith.map { JSONValue($0.description) } ?? .null,
    ]
  }
}
