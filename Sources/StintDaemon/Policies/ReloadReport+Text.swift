public import StintFormats
public import StintGovernor
import StintLanguage
public import StintRuntime

extension ReloadReport {
  /// Returns the report with the source texts of the expressions. The texts come from the replaced policies.
  /// When a number of a kept expression changed, the text of the present policies follows.
  public func withSourceText(
    by former: PolicyLoader.Loaded, now present: PolicyLoader.Loaded
  ) -> ReloadReport {
    var report = self
    for (number, entry) in entries.enumerated() {
      report.entries[number].newPlace = nil
      guard let place = entry.place, let text = Self.text(at: place, of: entry.owner, former) else {
        continue
      }
      report.entries[number].expression = text
      var owner = entry.owner
      if case .moved(let name) = entry.migration { owner = name }
      if let newPlace = entry.newPlace, let newText = Self.text(at: newPlace, of: owner, present),
        newText != text
      {
        report.entries[number].newExpression = newText
      }
    }
    return report
  }

  private static func text(
    at place: Range<Int>, of owner: String, _ loaded: PolicyLoader.Loaded
  ) -> String? {
    guard let policy = loaded.policies.first(where: { owner.hasPrefix($0.name + "/") }),
      let source = loaded.sources.first(where: { $0.file == policy.file })
    else { return nil }
    return source.text(of: SourceSpan(start: place.lowerBound, end: place.upperBound))
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// One line for each piece of state: dropped, reset, moved, then kept. Columns are aligned and indented by
  /// two spaces.
  public var text: String {
    let migrations = ["dropped", "reset", "moved", "kept"]
    let rows = migrations.flatMap { name in entries.filter { $0.migration.name == name } }.map { entry in
      var cells = [
        entry.migration.name, entry.kind.rawValue, entry.owner, entry.fullExpression(upTo: 100), entry.value,
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
            "expression": JSONValue(entry.fullExpression()), "value": JSONValue(entry.value),
          ]
        }),
    ]
  }
}
