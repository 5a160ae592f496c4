import StintDaemon
import StintGovernor
import StintModel
import StintReplay
import StintRuntime
import StintUnits

extension WhatIfReport {
  /// Returns the report as text for people: different decisions, energy, and the periods for which the
  /// journal lacks data.
  public func text(_ paint: Paint = .plain) -> String {
    var parts = [paint.strong("\(journal) under \(candidate.joined(separator: ", "))")]
    parts.append(flipText(paint))
    parts.append(energyTable.text(paint))
    parts.append(unknownText(paint))
    let notes = ReplayNotes.lines(
      isTorn: result.isTorn, damage: result.damage, gaps: gaps, beginsInTheMiddle: result.beginsInTheMiddle,
      timeZone: result.timeZone)
    if !notes.isEmpty { parts.append(notes.map { paint.notable($0) }.joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }

  private func flipText(_ paint: Paint) -> String {
    let span = Amounts.span(result.reached - result.began)
    guard differs else {
      return "No decision changes in \(span); compared decisions: \(Amounts.count(result.oldDecisions))."
    }
    var lines = [
      paint.strong("Decisions that change") + "   \(Amounts.count(result.divergences.count)) in \(span), "
        + "\(Amounts.count(result.oldDecisions)) decisions before, \(Amounts.count(result.newDecisions)) now"
    ]
    for flip in result.divergences {
      var head = "  \(moment(flip.instant))"
      if let until = flip.until { head += " … \(moment(until))" }
      lines.append("\(head)  \(flip.subject)")
      lines.append(paint.bad("    - ") + side(flip.old))
      lines.append(paint.good("    + ") + side(flip.new))
    }
    return lines.joined(separator: "\n")
  }

  private func moment(_ instant: Instant) -> String { LocalMoment(instant, result.timeZone).description }

  private func side(_ side: DecisionDivergence.Side) -> String {
    (side.decision ?? "nothing") + (side.cause.map { "; because \($0)" } ?? "")
  }

  private var energyTable: TextTable {
    var table = TextTable()
    table.add(["Energy", "J before", "J now", "difference"], .heading)
    let (old, new) = (result.oldLedger, result.newLedger)
    for device in Set(old.byDevice.keys).union(new.byDevice.keys).sorted() {
      let (was, would) = (old.byDevice[device] ?? .zero, new.byDevice[device] ?? .zero)
      table.add(["  \(device)", Amounts.joules(was), Amounts.joules(would), Amounts.joules(would - was)])
    }
    table.add(
      ["  total", Amounts.joules(old.total), Amounts.joules(new.total), Amounts.joules(difference)], .total)
    return table
  }

  private func unknownText(_ paint: Paint) -> String {
    guard !result.unknown.isEmpty else { return "The journal contains all data that the candidate needs." }
    var lines = [paint.strong("Missing in the journal") + "   the candidate's results are estimates there"]
    for total in unknownTotals {
      lines.append("  \(total.device) \(total.reason) for \(Amounts.span(total.total))")
    }
    for stretch in result.unknown {
      lines.append(
        paint.quiet(
          "    \(moment(stretch.from)) … \(moment(stretch.to))  \(stretch.device) \(stretch.reason.rawValue)")
      )
    }
    return lines.joined(separator: "\n")
  }
}
