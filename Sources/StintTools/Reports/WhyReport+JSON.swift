import StintFormats
public import StintRuntime

extension WhyReport {
  /// The report as one JSON object on one line.
  public var jsonText: String { ReportKind.why.text(of: json) }

  /// The report as `grammar/schemas/why.json` has it.
  var json: JSONValue {
    [
      "headline": JSONValue(headline),
      "lines": JSONValue(
        lines.map { line in
          [
            "relation": JSONValue(line.relation), "subject": JSONValue(line.subject),
            "text": JSONValue(line.text),
          ]
        }),
    ]
  }
}
