public import StintAuthoring
import StintDaemon
public import StintFormats
public import StintLanguage
package import StintModel

/// The different decisions of two sets of policies, ready to print.
public struct PolicyDiff: Hashable, Sendable {
  /// The files of the old policies.
  public var before: [String]
  /// The files of the new policies.
  public var after: [String]
  /// The regions of facts in which the decisions differ, and the changed definitions.
  public var difference: PolicyDifference
  /// The readings of sensors that are needed only by the old policies, and those that are needed only by the
  /// new policies.
  public var readings: (before: [ReadingNeed], after: [ReadingNeed]) { (lost, gained) }
  private let lost: [ReadingNeed]
  private let gained: [ReadingNeed]
  private let vocabulary: Vocabulary

  /// Compares two sets of policies.
  ///
  /// - Throws: `PolicyRefusal` when one of the two sets has errors.
  package init(
    from old: [SourceText], to new: [SourceText], vocabulary: Vocabulary
  ) throws(PolicyRefusal) {
    let checks = (
      try PolicyCheck(old, vocabulary: vocabulary).accepted(),
      try PolicyCheck(new, vocabulary: vocabulary).accepted()
    )
    before = old.map(\.file)
    after = new.map(\.file)
    difference = PolicyDifference(from: checks.0.policies, to: checks.1.policies, vocabulary: vocabulary)
    let needs = (checks.0.readings, checks.1.readings)
    lost = needs.0.filter { need in !needs.1.contains { $0.hasSameReading(as: need) } }
    gained = needs.1.filter { need in !needs.0.contains { $0.hasSameReading(as: need) } }
    self.vocabulary = vocabulary.computing((checks.0.policies + checks.1.policies).flatMap(\.computed))
  }

  /// True when no decision, definition or reading differs.
  public var isEmpty: Bool { difference.isEmpty && lost.isEmpty && gained.isEmpty }

  // MARK: Text

  /// Returns text for people: for each device, the regions with the old and the new decision.
  public func text(_ paint: Paint = .plain) -> String {
    guard !difference.isEmpty else {
      let decisions =
        difference.isComplete ? "no decision changes" : "no change found, but not all cases were checked"
      return ([decisions] + readingLines(paint)).joined(separator: "\n")
    }
    var lines: [String] = []
    for definition in difference.definitions {
      lines.append(paint.strong(definition.name) + "  defined differently")
      lines.append("  " + paint.bad("- \(definition.before)"))
      lines.append("  " + paint.good("+ \(definition.after)"))
    }
    var device: DeviceID??
    for region in difference.regions {
      if device != .some(region.device) {
        lines.append(paint.strong(region.device?.path ?? "acts"))
        device = .some(region.device)
      }
      let place = region.conditions.joined(separator: " and ")
      lines.append("  " + (place.isEmpty ? "everywhere" : "where \(place)"))
      lines.append("    " + paint.bad("- \(region.before.text)"))
      lines.append("    " + paint.good("+ \(region.after.text)"))
      let example =
        region.witness.map { $0.text(vocabulary) } ?? "undecided: the earlier facts are unknown"
      if !example.isEmpty {
        lines.append("    " + paint.quiet(region.witness == nil ? example : "e.g. \(example)"))
      }
    }
    let count = difference.regions.count
    lines.append(
      "\(count) region\(count == 1 ? "" : "s")" + (difference.isComplete ? "" : ", possibly more"))
    return (lines + readingLines(paint)).joined(separator: "\n")
  }

  /// Returns a line for each reading that is needed only by the old or only by the new policies, with its
  /// largest energy.
  private func readingLines(_ paint: Paint) -> [String] {
    guard !lost.isEmpty || !gained.isEmpty else { return [] }
    return [paint.strong("readings")] + lost.map { "    " + paint.bad("- \($0.text)") }
      + gained.map { "    " + paint.good("+ \($0.text)") }
  }

  // MARK: JSON

  /// The difference as one line of JSON. Later versions only add members.
  public var jsonText: String { ReportKind.diff.text(of: json) }

  /// `{"before": ["a.stint"], "after": ["b.stint"], "complete": true, "definitions": […], "regions": […],
  /// "readings": {…}}`.
  public var json: JSONValue {
    [
      "before": JSONValue(before.map { JSONValue($0) }), "after": JSONValue(after.map { JSONValue($0) }),
      "complete": JSONValue(difference.isComplete),
      "definitions": JSONValue(
        difference.definitions.map { definition in
          [
            "name": JSONValue(definition.name), "before": JSONValue(definition.before),
            "after": JSONValue(definition.after),
          ]
        }),
      "regions": JSONValue(difference.regions.map(json)),
      "readings": ["before": JSONValue(lost.map(\.json)), "after": JSONValue(gained.map(\.json))],
    ]
  }

  private func json(_ region: PolicyDifference.Region) -> JSONValue {
    [
      "device": JSONValue(region.device?.path),
      "where": JSONValue(region.conditions.map { JSONValue($0) }),
      "before": JSONValue(region.before.effects.map { JSONValue($0.text) }),
      "after": JSONValue(region.after.effects.map { JSONValue($0.text) }),
      "witness": region.witness.map { WitnessJSON(vocabulary).json($0) } ?? .null,
    ]
  }
}
