public import StintFormats
import StintLanguage

extension PolicyFixing {
  /// Returns the changes, followed by the check of the fixed policies.
  public func text(_ paint: Paint = .plain, wrap: TextWrap? = nil) -> String {
    let lines = changes.map { change in
      "\(change.file):\(change.line):\(change.column): \(paint.good("fixed[\(change.code)]")): \(change.title)"
    }
    return (lines + (lines.isEmpty ? [] : [""]) + [after.text(paint, wrap: wrap)]).joined(separator: "\n")
  }

  /// The check of the fixed policies, with the changes as its member `fixed`.
  public var json: JSONValue {
    JSONValue(
      (after.json.members ?? []) + [
        JSONMember(
          "fixed",
          JSONValue(
            changes.map { change -> JSONValue in
              [
                "file": JSONValue(change.file), "line": JSONValue(change.line),
                "column": JSONValue(change.column), "code": JSONValue(change.code.name),
                "title": JSONValue(change.title),
              ]
            }))
      ])
  }
}
