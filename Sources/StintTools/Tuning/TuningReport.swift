public import StintFormats
import StintUnits

/// The frontier between energy and quality that the parameters of a policy reach.
public struct TuningReport: Hashable, Sendable {
  public var policy: String
  public var profile: String?
  /// In the order of the policy.
  public var parameters: [String]
  /// As the policy is written.
  public var written: TuningTrial
  /// What nothing that was tried beats, by energy.
  public var frontier: [TuningTrial]
  public var trials: Int
  /// The paths of the tracks that were chosen by, and of those that were held back.
  public var training: [String]
  public var heldBack: [String]

  /// Whether a trial beats what is written, on the tracks it was chosen by and on those that were held back.
  public func isConfirmed(_ trial: TuningTrial) -> Bool {
    guard trial.score.beats(written.score), let own = trial.heldBack, let other = written.heldBack else {
      return false
    }
    return own.beats(other)
  }

  // MARK: JSON

  /// The report as one line of JSON. Members are only ever added.
  public var jsonText: String { JSONWriter.text(of: json) }

  /// `{"policy": …, "written": {…}, "frontier": [{"values": {"reach": "40 m"}, "energy_nJ": …, "quality": …, …}]}`.
  public var json: JSONValue {
    [
      "policy": JSONValue(policy), "profile": JSONValue(profile), "trials": JSONValue(trials),
      "training": JSONValue(training.map { JSONValue($0) }),
      "held_back": JSONValue(heldBack.map { JSONValue($0) }),
      "written": json(written), "frontier": JSONValue(frontier.map { json($0) }),
    ]
  }

  private func json(_ trial: TuningTrial) -> JSONValue {
    [
      "values": JSONValue(zip(parameters, trial.values).map { JSONMember($0, JSONValue($1.description)) }),
      "energy_nJ": JSONValue(trial.score.energy.nanojoules), "quality": JSONValue(trial.score.quality),
      "held_back_energy_nJ": trial.heldBack.map { JSONValue($0.energy.nanojoules) } ?? nil,
      "held_back_quality": trial.heldBack.map { JSONValue($0.quality) } ?? nil,
      "beats_written": JSONValue(trial.score.beats(written.score)),
      "confirmed": JSONValue(isConfirmed(trial)),
    ]
  }

  // MARK: Text

  /// The report for people.
  public func text(_ paint: Paint = .plain) -> String {
    var table = TextTable()
    table.add(parameters + ["energy", "as good as asked", "held back", "as good as asked", ""], .heading)
    table.add(row(written, "as written"))
    for trial in frontier where trial.values != written.values {
      table.add(
        row(trial, isConfirmed(trial) ? "better in both" : trial.score.beats(written.score) ? "better" : ""))
    }
    let head = paint.strong(
      "\(policy): \(trials) settings on \(training.count) tracks, \(heldBack.count) held back")
    return head + "\n\n" + table.text(paint)
  }

  private func row(_ trial: TuningTrial, _ remark: String) -> [String] {
    trial.values.map(\.description) + [
      "\(Amounts.joules(trial.score.energy)) J", Amounts.percent(trial.score.quality),
      trial.heldBack.map { "\(Amounts.joules($0.energy)) J" } ?? "–",
      trial.heldBack.map { Amounts.percent($0.quality) } ?? "–", remark,
    ]
  }
}
