public import StintFormats
public import StintLanguage
public import StintModel

/// Where two sets of policies decide otherwise, ready to be shown.
public struct PolicyDiff: Hashable, Sendable {
  public var before: [String]
  public var after: [String]
  public var difference: PolicyDifference
  private let vocabulary: Vocabulary

  /// Compares sound policies; those with errors are refused with what is wrong with them.
  public init(
    from old: [SourceText], to new: [SourceText], vocabulary: Vocabulary
  ) throws(PolicyRefusal) {
    let checks = (
      try PolicyCheck(old, vocabulary: vocabulary).accepted(),
      try PolicyCheck(new, vocabulary: vocabulary).accepted()
    )
    before = old.map(\.file)
    after = new.map(\.file)
    difference = PolicyDifference(from: checks.0.policies, to: checks.1.policies, vocabulary: vocabulary)
    self.vocabulary = vocabulary.computing((checks.0.policies + checks.1.policies).flatMap(\.computed))
  }

  // MARK: Text

  /// For people: by device, the regions with what was and what will be decided there.
  public func text(_ paint: Paint = .plain) -> String {
    guard !difference.isEmpty else {
      return difference.isComplete
        ? "no decision changes" : "no change found, but there was too much to look at all"
    }
    var lines: [String] = []
    for definition in difference.definitions {
      lines.append(paint.strong(definition.name) + "  defined otherwise")
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
        region.witness.map { $0.text(vocabulary) } ?? "undecided: the facts before it are unknown"
      if !example.isEmpty {
        lines.append("    " + paint.quiet(region.witness == nil ? example : "e.g. \(example)"))
      }
    }
    let count = difference.regions.count
    lines.append(
      "\(count) region\(count == 1 ? "" : "s")" + (difference.isComplete ? "" : ", and perhaps more"))
    return lines.joined(separator: "\n")
  }

  // MARK: JSON

  /// The same as one line of JSON. Members are only ever added.
  public var jsonText: String { ReportKind.diff.text(of: json) }

  /// `{"before": ["a.stint"], "after": ["b.stint"], "complete": true, "definitions": […], "regions": […]}`.
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
    ]
  }

  private func json(_ region: PolicyDifference.Region) -> JSONValue {
    [
      "device": JSONValue(region.device?.path),
      "where": JSONValue(region.conditions.map { JSONValue($0) }),
      "before": JSONValue(region.before.effects.map { JSONValue($0.text) }),
      "after": JSONValue(region.after.effects.map { JSONValue($0.text) }),
      "witness": region.witness.map { WitnessJSON(vocabulary).json($0) } ?? nil,
    ]
  }
}
