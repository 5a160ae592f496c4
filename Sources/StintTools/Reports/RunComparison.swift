import StintDaemon
public import StintFormats
import StintModel
public import StintUnits

/// Runs in the same world, side by side. The first run is the baseline.
public struct RunComparison: Hashable, Sendable {
  /// The reports of the runs, at least two.
  public var runs: [SimulationReport]

  /// Creates a comparison.
  ///
  /// - Precondition: there are at least two runs.
  public init(_ runs: [SimulationReport]) {
    precondition(runs.count >= 2, "a comparison needs two runs")
    self.runs = runs
  }

  /// Returns the share of the first run's energy that `run` saves, at most 1; negative when `run` uses more.
  public func saving(of run: SimulationReport) -> Double {
    let base = runs[0].ledger.total
    return base == .zero ? 0 : (base - run.ledger.total).joules / base.joules
  }

  /// The comparison as `stint compare --json` prints it.
  public var json: JSONValue {
    [
      "runs": JSONValue(runs.map(\.json)),
      "saved": JSONValue(runs.dropFirst().map { JSONValue(saving(of: $0)) }),
    ]
  }

  /// The comparison as one line of JSON.
  public var jsonText: String { ReportKind.comparison.text(of: json) }

  /// Returns the comparison as text for people.
  public func text(_ paint: Paint = .plain) -> String {
    let first = runs[0]
    let head = "\(Amounts.span(first.duration)), seed \(first.seed), \(first.profile)"
    // All sections share one table so that their columns align.
    var table = TextTable()
    addEnergy("Energy by device, J", \.ledger.byDevice, to: &table)
    addEnergy("Energy by rule (or other cause), J", \.ledger.byRule, to: &table)
    addService(to: &table)
    return [paint.strong(first.place) + "   " + head, table.text(paint), verdicts(paint)]
      .joined(separator: "\n\n")
  }

  private func addEnergy<Key: Comparable & CustomStringConvertible>(
    _ title: String, _ accounts: KeyPath<SimulationReport, [Key: Energy]>, to table: inout TextTable
  ) {
    table.add([title] + runs.map(\.title) + ["change"], .heading)
    for key in Set(runs.flatMap { $0[keyPath: accounts].keys }).sorted() {
      let amounts = runs.map { $0[keyPath: accounts][key] }
      table.add(
        ["  \(key)"] + amounts.map { $0.map(Amounts.joules) ?? "–" }
          + [change(from: amounts[0], to: amounts[amounts.count - 1])])
    }
    let totals = runs.map(\.ledger.total)
    table.add(
      ["  total"] + totals.map(Amounts.joules) + [change(from: totals[0], to: totals[totals.count - 1])],
      .total)
    table.add([])
  }

  private func change(from first: Energy?, to last: Energy?) -> String {
    guard let first, first != .zero else { return last == nil || last == .zero ? "" : "new" }
    let part = ((last ?? .zero) - first).joules / first.joules
    return (part > 0 ? "+" : "") + Amounts.percent(part)
  }

  private func addService(to table: inout TextTable) {
    table.add(["Service"] + runs.map(\.title), .heading)
    table.add(["  fixes delivered"] + runs.map { Amounts.count($0.fixes) })
    let devices = Set(runs.flatMap(\.accuracy.keys)).sorted()
    for device in devices {
      let records = runs.map { $0.accuracy[device] }
      let name = devices.count == 1 ? "" : "\(device), "
      table.add(["  \(name)error median"] + records.map { Amounts.metres($0?.medianError) })
      table.add(["  \(name)error 95 %"] + records.map { Amounts.metres($0?.error95) })
      table.add(
        ["  \(name)requested accuracy met, moving"]
          + records.map { $0?.withinBound.map(Amounts.percent) ?? "–" })
    }
    table.add(["  worst gap"] + runs.map { Amounts.span($0.worstGap) })
    table.add(["  transfers carried"] + runs.map { Amounts.count($0.transfers.carried) })
    table.add(["  transfers late"] + runs.map { Amounts.count($0.transfers.late) })
    table.add(["  wake-ups"] + runs.map { Amounts.count($0.wakeups.total) })
    table.add(["  decisions"] + runs.map { Amounts.count($0.decisions) })
  }

  private func verdicts(_ paint: Paint) -> String {
    runs.dropFirst().map { run in
      let part = saving(of: run)
      let amount = runs[0].ledger.total - run.ledger.total
      let (name, first) = (Self.name(of: run), Self.name(of: runs[0]))
      if amount == .zero { return "\(name) spends as much as \(first)" }
      if part < 0 {
        let more = "\(Amounts.joules(run.ledger.total - runs[0].ledger.total)) J more"
        return paint.bad("\(name) spends \(more) than \(first), \(Amounts.percent(-part))")
      }
      let bar = Amounts.bar(part, width: 40)
      let rest = String(repeating: "░", count: 40 - bar.count)
      let sentence = "\(name) saves \(Amounts.percent(part)), \(Amounts.joules(amount)) J"
      return "\(paint.good(sentence))   \(paint.good(bar))\(paint.quiet(rest))"
    }.joined(separator: "\n")
  }

  /// Returns the name of a run in a sentence.
  private static func name(of run: SimulationReport) -> String {
    run.policies.isEmpty ? "the run without policies" : run.title
  }
}

extension SimulationReport {
  /// The longest time that any client waited between two samples.
  public var worstGap: TimeSpan { deliveries.values.map(\.worstGap).max() ?? .zero }
}
