package import StintFormats
package import StintRuntime

extension WhyReport {
  /// The report as one line of JSON.
  package var jsonText: String { ReportKind.why.text(of: json) }

  /// The report in the format of `grammar/schemas/why.json`.
  package var json: JSONValue {
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
