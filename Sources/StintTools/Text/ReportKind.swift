package import StintFormats

/// The reports that `--json` prints; each has a JSON Schema in `grammar/schemas/NAME.json`.
///
/// The first member of a report is `stint_NAME` with the version of its schema, so that a reader knows what it has. A
/// version stays while members are only added; a member that changes or goes makes a new one.
package enum ReportKind: String, CaseIterable, Sendable {
  case check, test, diff, explain, codes, word
  case format = "fmt"
  case compile, disasm
  case simulation = "sim"
  case comparison = "compare"
  case tuning = "tune"
  case replay
  case whatIf = "what-if"
  case run, status, why
  case whyNot = "why-not"
  case reply
  case pluginList = "plugin-list"
  case pluginNew = "plugin-new"
  case pluginSeal = "plugin-seal"
  case pluginCheck = "plugin-check"
  case escapeCheck = "plugin-check-escape"

  /// The version of the schema; 1 or more.
  package var version: Int64 { 1 }

  /// The name of the first member: `stint_why_not`.
  package var member: String { "stint_" + String(rawValue.map { $0 == "-" ? "_" : $0 }) }

  /// The report with its first member.
  ///
  /// - Precondition: the value is an object.
  package func stamped(_ report: JSONValue) -> JSONValue {
    guard let members = report.members else { preconditionFailure("a report is an object") }
    return JSONValue([JSONMember(member, JSONValue(version))] + members)
  }

  /// The report with its first member, on one line.
  package func text(of report: JSONValue) -> String { JSONWriter.text(of: stamped(report)) }
}
