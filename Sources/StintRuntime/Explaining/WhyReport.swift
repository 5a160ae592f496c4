public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// Explains the state of a device: the clients that demand it, the rules that limit it, its setting, what
/// would change it.
public struct WhyReport: Sendable {
  /// One line: what it is about, whom it names, what it says.
  public struct Line: Hashable, Sendable {
    /// `demanded by`, `shaped by`, `limited by`, `would stop` …
    public var relation: String
    /// A client or a rule.
    public var subject: String
    public var text: String
  }

  /// On or off, state, power, since when.
  public let headline: String
  public let lines: [Line]

  /// Asks a governor about one of its devices; the policies are those that it runs.
  public init(device: DeviceID, governor: Governor, policies: [CheckedPolicy]) {
    guard let status = governor.status(of: device) else {
      let names = governor.vocabulary.manifests.map(\.device.path)
      let nearest = Suggestion.nearest(to: device.path, in: names)
      headline = "no device is called \(device)"
      lines = [
        Line(
          relation: "devices", subject: "",
          text: nearest.map { "did you mean \($0)?" } ?? names.joined(separator: ", "))
      ]
      return
    }
    let writer = WhyWriter(status: status, governor: governor, policies: policies)
    headline = writer.headline
    lines = writer.holders + writer.setting + writer.rules + writer.readers + writer.sensing + writer.account
  }

  /// The report for people.
  public var text: String {
    let labels = lines.map(\.relation.count).max() ?? 0
    let subjects = lines.map(\.subject.count).max() ?? 0
    var previous = ""
    let rows = lines.map { line -> String in
      let relation = line.relation == previous ? "" : line.relation
      previous = line.relation
      return "  \(Self.pad(relation, labels))  \(Self.pad(line.subject, subjects))  \(line.text)"
    }
    return ([headline] + rows).joined(separator: "\n") + "\n"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
