import StintDaemon
public import StintFormats
import StintUnits

extension TuningReport {
  /// The report as one line of JSON. Later versions only add members.
  public var jsonText: String { ReportKind.tuning.text(of: json) }

  /// `{"policy": …, "written": {…}, "frontier": [{"values": {"reach": "40 m"}, "energy_nJ": …, "quality": …,
  /// …}]}`. Energies do not include the floor power of the devices.
  public var json: JSONValue {
    [
      "policy": JSONValue(policy), "profile": JSONValue(profile), "trials": JSONValue(trials),
      "refused": JSONValue(refused), "whole": JSONValue(isWhole),
      "training": JSONValue(training.map { JSONValue($0) }),
      "held_back": JSONValue(heldOut.map { JSONValue($0) }),
      "written": written.map { json($0) } ?? .null, "frontier": JSONValue(frontier.map { json($0) }),
      "choice": choice.map { json($0) } ?? .null,
    ]
  }

  private func json(_ trial: TuningTrial) -> JSONValue {
    [
      "values": JSONValue(zip(parameters, trial.values).map { JSONMember($0, JSONValue($1)) }),
      "energy_nJ": JSONValue(trial.score.spent.nanojoules), "quality": JSONValue(trial.score.quality),
      "mean_error_m": trial.score.meanError.map { JSONValue($0) } ?? .null,
      "held_back_energy_nJ": trial.heldOut.map { JSONValue($0.spent.nanojoules) } ?? .null,
      "held_back_quality": trial.heldOut.map { JSONValue($0.quality) } ?? .null,
      "held_back_mean_error_m": trial.heldOut?.meanError.map { JSONValue($0) } ?? .null,
      "held_back_beaten": JSONValue(improvedHeldOut(by: trial).map { JSONValue($0) }),
      "beats_written": JSONValue(isBetter(trial)), "confirmed": JSONValue(isConfirmed(trial)),
    ]
  }
}
