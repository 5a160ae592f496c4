import StintDaemon
import StintFormats
import StintJournal
import StintModel
import StintReplay
import StintRuntime
import StintUnits

extension WhatIfReport {
  /// The report as one line of JSON.
  public var jsonText: String {
    ReportKind.whatIf.text(of: [
      "journal": JSONValue(journal), "candidate": JSONValue(candidate.map { JSONValue($0) }),
      "began_ns": JSONValue(result.began.nanoseconds), "reached_ns": JSONValue(result.reached.nanoseconds),
      "decisions": ["old": JSONValue(result.oldDecisions), "new": JSONValue(result.newDecisions)],
      "flips": JSONValue(result.divergences.map(Self.json)),
      "energy_nJ": [
        "old": JSONValue(result.oldLedger.total.nanojoules),
        "new": JSONValue(result.newLedger.total.nanojoules), "difference": JSONValue(difference.nanojoules),
        "by_device": byDevice,
      ],
      "unknown": JSONValue(result.unknown.map(Self.json)),
      "unknown_ns": JSONValue(
        unknownTotals.map { total in
          [
            "device": JSONValue(total.device), "reason": JSONValue(total.reason),
            "total": JSONValue(total.total.nanoseconds),
          ]
        }), "torn": JSONValue(result.isTorn), "gaps": ReplayNotes.json(of: gaps),
      "begins_in_the_middle": JSONValue(result.beginsInTheMiddle),
      "damage": result.damage.map { JSONValue($0.description) } ?? .null,
    ])
  }

  private var byDevice: JSONValue {
    let (old, new) = (result.oldLedger.byDevice, result.newLedger.byDevice)
    return JSONValue(
      Set(old.keys).union(new.keys).sorted().map { device in
        JSONMember(
          device.path,
          [
            "old": JSONValue((old[device] ?? .zero).nanojoules),
            "new": JSONValue((new[device] ?? .zero).nanojoules),
          ])
      })
  }

  private static func json(_ flip: DecisionDivergence) -> JSONValue {
    [
      "at_ns": JSONValue(flip.instant.nanoseconds),
      "until_ns": flip.until.map { JSONValue($0.nanoseconds) } ?? .null, "subject": JSONValue(flip.subject),
      "old": json(flip.old), "new": json(flip.new),
    ]
  }

  private static func json(_ side: DecisionDivergence.Side) -> JSONValue {
    ["decision": JSONValue(side.decision), "cause": JSONValue(side.cause)]
  }

  private static func json(_ stretch: UnknownInterval) -> JSONValue {
    [
      "device": JSONValue(stretch.device.path), "reason": JSONValue(stretch.reason.rawValue),
      "from_ns": JSONValue(stretch.from.nanoseconds), "to_ns": JSONValue(stretch.to.nanoseconds),
    ]
  }
}
