import StintDaemon
import StintUnits

extension TuningReport {
  /// Returns the report as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    guard let written else { return paint.strong(policy) + ": interrupted before the first result" }
    let count = heldOut.isEmpty ? "none held back" : "\(heldOut.count) held back"
    var parts = [
      paint.strong(
        "\(policy): \(trials) parameter \(trials == 1 ? "set" : "sets") on "
          + "\(Self.tracks(training.count)), \(count)"
      )
        + (isWhole ? "" : ", interrupted")
    ]
    parts.append(table(written, paint))
    parts.append(verdict(written))
    return parts.joined(separator: "\n\n")
  }

  private static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

  private func table(_ written: TuningTrial, _ paint: Paint) -> String {
    var table = TextTable()
    table.gap = 2
    let hasPositions = written.score.seconds > 0
    let measures = ["energy", quality(written)] + (hasPositions ? ["off by"] : [])
    let more = heldOut.isEmpty ? [] : ["held back"] + measures.dropFirst()
    table.add([""] + parameters + measures + more, .heading)
    let isOnFrontier = frontier.contains { $0.place == written.place }
    if !isOnFrontier { table.add(row(written, written), .total) }
    for trial in frontier { table.add(row(trial, written), trial.place == written.place ? .total : .plain) }
    return table.text(paint)
  }

  /// Returns the heading of the quality of all trials: for positions if clients demanded positions, otherwise
  /// for transfers.
  private func quality(_ written: TuningTrial) -> String {
    written.score.seconds > 0 ? "requested accuracy met" : "in time"
  }

  private func row(_ trial: TuningTrial, _ written: TuningTrial) -> [String] {
    let hasPositions = written.score.seconds > 0
    var cells = [mark(trial, written)] + trial.values
    for score in [trial.score, trial.heldOut] {
      if heldOut.isEmpty, score == nil { continue }
      cells.append(score.map { "\(Amounts.joules($0.spent)) J" } ?? "–")
      cells.append(score.map { Amounts.percent($0.quality) } ?? "–")
      if hasPositions { cells.append(Amounts.metres(score?.meanError)) }
    }
    return cells
  }

  private func mark(_ trial: TuningTrial, _ written: TuningTrial) -> String {
    if trial.place == written.place { return "as written" }
    let isChoice = trial.place == choice?.place
    guard isBetter(trial) else { return "" }
    let head = isChoice ? "chosen: better" : "better"
    switch isBetterOnHeldOut(trial) {
    case true?: return head + " on both"
    case false?: return head + ", not on the tracks held back"
    case nil: return head
    }
  }

  private func verdict(_ written: TuningTrial) -> String {
    guard let choice else { return "No tested parameter set is better than the values in the policy." }
    let names = zip(parameters, zip(choice.values, written.values)).filter { $0.1.0 != $0.1.1 }
      .map { "\($0.0) = \($0.1.0)" }
    var lines = ["Chosen: \(names.joined(separator: ", "))."]
    lines.append("On the tracks of the search: " + comparison(choice.score, written.score, written) + ".")
    guard let own = choice.heldOut, let other = written.heldOut else {
      return lines.joined(separator: "\n")
    }
    lines.append(
      "On the tracks held back: " + comparison(own, other, written) + ": "
        + (isConfirmed(choice) ? "also better" : "not better") + "; better on "
        + "\(improvedHeldOut(by: choice).count) of \(Self.tracks(heldOut.count)).")
    return lines.joined(separator: "\n")
  }

  private func comparison(_ own: TuningScore, _ other: TuningScore, _ written: TuningTrial) -> String {
    let change = Double((own.spent - other.spent).nanojoules) / Double(max(other.spent.nanojoules, 1))
    let energy = "\(change > 0 ? "+" : "")\(Amounts.percent(change)) energy"
    return "\(energy), \(quality(written)) \(Amounts.percent(own.quality)) "
      + "instead of \(Amounts.percent(other.quality))"
  }
}
