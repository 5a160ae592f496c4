package import StintFormats

/// The reports that `--json` prints, and the replies of the control socket. Each kind has a JSON Schema in
/// `grammar/schemas/NAME.json`.
///
/// The first member of a report is `stint_NAME`, which identifies the report. Its value is the version of the
/// report's schema. Added members do not change the version; changed or removed members do.
package enum ReportKind: String, CaseIterable, Sendable {
  case check, test, diff, explain, codes, word
  case deviceClass = "class"
  case format = "fmt"
  case compile, disasm
  case simulation = "sim"
  case comparison = "compare"
  case tuning = "tune"
  case replay
  case whatIf = "what-if"
  case run, status, permit, why
  case whyNot = "why-not"
  case reply
  case pluginList = "plugin-list"
  case pluginNew = "plugin-new"
  case pluginSeal = "plugin-seal"
  case pluginCheck = "plugin-check"

  /// The version of the schema, at least 1.
  package var version: Int64 { 1 }

  /// The name of the first member, such as `stint_why_not`.
  package var member: String { "stint_" + String(rawValue.map { $0 == "-" ? "_" : $0 }) }

  /// Returns the report with its version as the first member.
  ///
  /// - Precondition: the value is an object.
  package func stamped(_ report: JSONValue) -> JSONValue {
    guard let members = report.members else { preconditionFailure("a report must be an object") }
    return JSONValue([JSONMember(member, JSONValue(version))] + members)
  }

  /// Returns the report with its version as the first member, as one line of JSON.
  package func text(of report: JSONValue) -> String { JSONWriter.text(of: stamped(report)) }
}
