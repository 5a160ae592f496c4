public import StintGovernor
public import StintLanguage
import StintMachine
public import StintModel
import StintUnits

/// The report on the state of a device. It contains the demands on the device, the rules that limit the
/// device, the setting, and the changes that would turn the device on or off.
public struct WhyReport: Sendable {
  /// A line of the report: a relation, its subject and a text.
  public struct Line: Hashable, Sendable {
    /// The relation to the device, for example `demanded by`, `granted`, `limited by` or `would stop`.
    public var relation: String
    /// The name of the client, rule, device, fact or state that the line describes.
    public var subject: String
    /// The explanation, without a full stop.
    public var text: String
  }

  /// The state and power of the device, with the start of its current energy interval (see `DeviceStatus`).
  /// For a source or an unknown device, the headline is a sentence instead.
  public let headline: String
  /// The lines in the order of the report.
  public let lines: [Line]

  /// Creates the report for a device of a governor. `policies` are the policies that the governor runs.
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
    lines =
      writer.demands + writer.defaults + writer.setting + writer.rules + writer.readers + writer.sensing
      + writer.account
  }

  /// The complete report for people.
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
