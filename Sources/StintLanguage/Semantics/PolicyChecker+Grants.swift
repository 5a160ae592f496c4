import StintModel

/// Checks the function `grant`. With this function, the expectations of tests read the granted settings of a
/// client.
extension PolicyChecker {
  /// Checks `grant("trail-app")`, `grant("trail-app", gps)` and `grant("trail-app", gps.accuracy)`.
  mutating func grant(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard isInTest else {
      report(
        .badArguments, "“grant” is only allowed in tests", span,
        hint: "a rule reads client facts: client.accuracy, client.name, …")
      return nil
    }
    guard let first = arguments.first, arguments.count <= 2, case .string(let client) = first.kind else {
      report(
        .badArguments, "“grant” takes a client and a device", span,
        hint: "as in: grant(\"trail-app\", gps) is paused, or: grant(\"trail-app\", gps.accuracy) >= 100 m")
      return nil
    }
    let id = ClientID(client.text)
    guard arguments.count == 2 else {
      guard let device = attached(id, client.span) else { return nil }
      return grant(GrantFact(client: id, device: device, part: .status), span)
    }
    guard case .path(let path) = arguments[1].kind else {
      report(
        .badArguments, "the second argument is a device, or one of its settings", arguments[1].span,
        hint: "as in: grant(\"\(client.text)\", gps), or: grant(\"\(client.text)\", gps.accuracy)")
      return nil
    }
    guard let (device, part) = granted(path) else { return nil }
    return grant(GrantFact(client: id, device: device, part: part), span)
  }

  private mutating func grant(_ fact: GrantFact, _ span: SourceSpan) -> CheckedExpression {
    let computed = fact.computed
    compute(computed)
    return CheckedExpression(kind: .fact(fact.path), type: computed.schema.type, span: span)
  }

  /// Returns the only device on which a client has a demand in this test.
  ///
  /// - Returns: nil, with a report, when the client has no demand, or has demands on several devices.
  private mutating func attached(_ client: ClientID, _ span: SourceSpan) -> DeviceID? {
    let devices = Set(attachments.filter { $0.client == client }.map(\.device)).sorted()
    if devices.count == 1 { return devices[0] }
    guard devices.isEmpty else {
      report(
        .badArguments, "“\(client)” has demands on \(devices.count) devices: name one of them",
        span,
        hint: "as in: grant(\"\(client)\", \(policy.name(of: devices[0])))")
      return nil
    }
    let known = Set(attachments.map(\.client.name)).sorted()
    let nearest = Suggestion.nearest(to: client.name, in: known)
    report(
      .unknownWord, "no client “\(client)” is attached before this expectation", span,
      hint: nearest.map { "did you mean “\($0)”?" }
        ?? "attach it first, or name the device that a rule starts for it: grant(\"\(client)\", gps)",
      fix: nearest.map { Diagnostic.Fix(span: span, replacement: "\"\($0)\"") })
    return nil
  }

  /// Checks the second argument of `grant`: a device, or a setting such as `gps.accuracy`.
  private mutating func granted(_ path: Name) -> (DeviceID, GrantFact.Part)? {
    let names = vocabulary.manifests.map(\.device.path) + aliases.keys
    let words = path.text.split(separator: ".").map(String.init)
    guard !names.contains(path.text), words.count > 1 else {
      guard let (device, _) = device(path) else { return nil }
      return (device, .status)
    }
    let prefix = words.dropLast().joined(separator: ".")
    let span = SourceSpan(start: path.span.start, end: path.span.start + prefix.utf8.count)
    guard let (device, _) = device(Name(text: prefix, span: span)) else { return nil }
    let parts = GrantFact.Part.allCases.filter { $0 != .status }
    guard let part = parts.first(where: { $0.rawValue == words.last }) else {
      reportUnknown(
        .unknownSetting, "a grant has no part “\(words.last ?? "")”",
        SourceSpan(start: span.end + 1, end: path.span.end), words.last ?? "",
        among: parts.map(\.rawValue),
        else: "a grant has \(parts.map(\.rawValue).joined(separator: ", "))")
      return nil
    }
    return (device, part)
  }
}
