import StintDaemon
import StintModel
import StintUnits

extension SimulationReport {
  /// Returns the report as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    let head =
      paint.strong(VisibleText.line("\(title) on \(place)"))
      + "   \(Amounts.span(duration)), seed \(seed), \(profile)"
    var energy = TextTable()
    addAccounts("Energy by device", ledger.byDevice, to: &energy)
    addAccounts("Energy by client", ledger.byClient, to: &energy)
    addAccounts("Energy by rule (or other cause)", ledger.byRule, to: &energy)
    var parts = [head, energy.text(paint)]
    if !rules.isEmpty { parts.append(ruleTable(paint)) }
    if !requirements.isEmpty { parts.append(requirementTable(paint)) }
    parts.append(figures(paint))
    if !refusals.isEmpty {
      parts.append(
        ([paint.strong("Refused")] + refusals.map { "  \(VisibleText.line($0))" }).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  private func addAccounts<Key: Comparable & CustomStringConvertible>(
    _ title: String, _ amounts: [Key: Energy], to table: inout TextTable
  ) {
    if !table.isEmpty { table.add([]) }
    table.add([title, "J", "part", ""], .heading)
    // The largest amount comes first; equal amounts are sorted by name.
    let sorted = amounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (key, energy) in sorted {
      let part = ledger.total == .zero ? 0 : energy.joules / ledger.total.joules
      table.add([
        "  \(key)", Amounts.joules(energy), Amounts.percent(part), padded(Amounts.bar(part, width: 20)),
      ])
    }
    table.add(["  total", Amounts.joules(ledger.total), "", ""], .total)
  }

  private func padded(_ bar: String) -> String { TextTable.pad(bar, to: 20) }

  private func ruleTable(_ paint: Paint) -> String {
    var table = TextTable()
    table.add(["Rules in force", "times", "in force", "of the time"], .heading)
    for (rule, activity) in rules.sorted(by: { $0.key < $1.key }) {
      let part = duration == .zero ? 0 : activity.inForce.seconds / duration.seconds
      table.add(
        [
          "  \(rule)", Amounts.count(activity.activations), Amounts.span(activity.inForce),
          Amounts.percent(part),
        ], activity.activations == 0 ? .quiet : .plain)
    }
    return table.text(paint)
  }

  private func requirementTable(_ paint: Paint) -> String {
    var table = TextTable()
    table.add(["Requirements", "violated", "evaluated", "of the time"], .heading)
    for (requirement, activity) in requirements.sorted(by: { $0.key < $1.key }) {
      table.add([
        "  \(requirement)", Amounts.count(activity.violations), Amounts.span(activity.evaluated),
        activity.share.map(Amounts.percent) ?? "–",
      ])
    }
    return table.text(paint)
  }

  private func figures(_ paint: Paint) -> String {
    var table = TextTable()
    table.add(["Service", ""], .heading)
    for (client, count) in deliveries.sorted(by: { $0.key < $1.key }) {
      table.add(["  \(client), samples", Amounts.count(count.samples)])
      table.add(["  \(client), batches", Amounts.count(count.batches)])
      table.add(["  \(client), worst gap", Amounts.span(count.worstGap)])
    }
    table.add(["  fixes delivered", Amounts.count(fixes)])
    for (device, record) in accuracy.sorted(by: { $0.key < $1.key }) {
      table.add(["  \(device), error median", Amounts.metres(record.medianError)])
      table.add(["  \(device), error 95 %", Amounts.metres(record.error95)])
      table.add(["  \(device), requested accuracy met", record.withinBound.map(Amounts.percent) ?? "–"])
    }
    if transfers.carried > 0 || transfers.late > 0 {
      table.add(["  transfers carried", Amounts.count(transfers.carried)])
      table.add(["  transfers late", Amounts.count(transfers.late)])
      table.add(["  longest wait", Amounts.span(transfers.longestWait)])
    }
    table.add(["  wake-ups", Amounts.count(wakeups.total)])
    for (device, count) in wakeups.byDevice.sorted(by: { $0.key < $1.key }) {
      table.add(["    for \(device)", Amounts.count(count)], .quiet)
    }
    table.add(["  decisions", Amounts.count(decisions)])
    return table.text(paint) + "\n" + paint.quiet("  log sha256 \(decisionLogHash)")
  }
}
