import StintDaemon
import StintLanguage
public import StintModel
import StintUnits

extension PolicyCheck {
  /// Returns the lines that `--advise` adds. They name a suitable service for each rule that requests
  /// positions, and the energy of each service on a day at a desk. Empty when no rule requests positions, or
  /// when a policy has errors.
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
      lines.append(
        "  desk     moves cost more than visits while the host is still: "
          + "moves check the position every 15 minutes")
    }
    return lines.joined(separator: "\n")
  }
}
