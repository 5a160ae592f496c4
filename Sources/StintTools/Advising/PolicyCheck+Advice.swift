import StintLanguage
public import StintModel
import StintUnits

extension PolicyCheck {
  /// What `--advise` adds: for each rule that asks for positions the service that would do, and what services cost on
  /// a day at a desk; empty when no rule asks.
  public func advice(_ vocabulary: Vocabulary) -> String {
    let all = policies.flatMap { ServiceAdvice.all(for: $0, vocabulary: vocabulary) }
    guard !hasErrors, !all.isEmpty else { return "" }
    let width = all.map(\.rule.description.count).max() ?? 0
    var lines = all.map { advice in
      "  advice   \(TextTable.pad(advice.rule.description, to: width + 2))"
        + "\(TextTable.pad(advice.service.rawValue, to: 9))\(advice.reason)"
    }
    for service in LocationService.allCases {
      guard let energy = service.dayAtDesk(vocabulary) else { continue }
      lines.append(
        "  desk     \(TextTable.pad(service.rawValue, to: 9))\(Amounts.joules(energy)) J a day at rest: \(service.meaning)"
      )
    }
    if let visits = LocationService.visits.dayAtDesk(vocabulary),
      let moves = LocationService.moves.dayAtDesk(vocabulary), moves > visits,
      all.contains(where: { $0.service == .moves })
    {
      lines.append("  desk     moves are dearer than visits where nothing moves: their heartbeat goes on")
    }
    return lines.joined(separator: "\n")
  }
}
