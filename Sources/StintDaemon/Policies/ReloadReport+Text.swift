public import StintFormats
public import StintGovernor
import StintLanguage
public import StintRuntime

extension ReloadReport {
  /// Returns the report with the source texts of the expressions. The texts come from the replaced policies.
  public func withSourceText(by former: PolicyLoader.Loaded) -> ReloadReport {
    var report = self
    for (number, entry) in entries.enumerated() {
      guard let place = entry.place,
        let policy = former.policies.first(where: { entry.owner.hasPrefix($0.name + "/") }),
        let source = former.sources.first(where: { $0.file == policy.file })
      else { continue }
      let text = source.text(of: SourceSpan(start: place.lowerBound, end: place.upperBound))
      report.entries[number].expression = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return report
  }

  /// One line for each piece of state: dropped, reset, moved, then kept. Columns are aligned and indented by
  /// two spaces.
  public var text: String {
    let migrations = ["dropped", "reset", "moved", "kept"]
    let rows = migrations.flatMap { name in entries.filter { $0.migration.name == name } }.map { entry in
      var cells = [
        entry.migration.name, entry.kind.rawValue, entry.owner, Self.cut(entry.expression), entry.value,
      ]
      if case .moved(let name) = entry.migration { cells[4] += ", now \(name)" }
      return cells
    }
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { cells in
      var line = "  "
      for column in 0..<4 {
        line += cells[column] + String(repeating: " ", count: widths[column] - cells[column].count) + "  "
      }
      return line + cells[4]
    }.joined(separator: "\n")
  }

  private static func cut(_ text: String) -> String {
    text.count <= 60 ? text : text.prefix(59) + "…"
  }

  /// The report as a JSON value: the counts of each migration, and all entries.
  public var json: JSONValue {
    [
      "kept": JSONValue(count("kept")), "moved": JSONValue(count("moved")),
      "reset": JSONValue(count("reset")), "dropped": JSONValue(count("dropped")),
      "entries": JSONValue(
        entries.map { entry in
          var now: String?
          if case .moved(let name) = entry.migration { now = name }
          return [
            "fate": JSONValue(entry.migration.name), "kind": JSONValue(entry.kind.rawValue),
            "owner": JSONValue(entry.owner), "now": JSONValue(now),
            "expression": JSONValue(entry.expression), "value": JSONValue(entry.value),
          ]
        }),
    ]
  }
}
