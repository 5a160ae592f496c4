import StintModel
import StintUnits

/// Checks functions with a device or a service as argument, such as `heard` and `used_by`. The governor
/// computes the results of most of these functions from its observations.
extension PolicyChecker {
  /// Returns true when the first argument is a device.
  func namesDevice(_ arguments: [SyntaxExpression]) -> Bool {
    guard case .path(let name)? = arguments.first?.kind else { return false }
    return aliases[name.text] != nil || vocabulary.manifest(DeviceID(name.text)) != nil
  }

  /// Checks `spread(gps, 10 min)`: the largest distance between positions in the span.
  mutating func positionSpread(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 2, case .path(let argument) = arguments[0].kind,
      let literal = literal(arguments[1])
    else {
      report(
        .badArguments, "“spread” takes a device and a span of time", span, hint: "as in: spread(gps, 10 min)")
      return nil
    }
    guard let (device, manifest) = device(argument),
      let window = positiveTime(literal, what: "the window")
    else { return nil }
    guard let manifest else { return nothing(span) }
    for part in ["latitude", "longitude"] where vocabulary.fact("\(device.path).\(part)") == nil {
      report(
        .boundNotSupported, "\(device) does not publish its \(part)", argument.span,
        label: "this is \(manifest.title)",
        hint: "ask for one of its facts, as in: spread(\(argument.text).FACT, \(window))")
      return nil
    }
    return observe(.spread(device, window), span)
  }

  /// Checks `heard(accel)`: true when a client or service reads the device's samples.
  mutating func checkHeard(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "“heard” takes a beacon's zone or a sensor", span, hint: "as in: heard(accel)")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    guard let manifest else { return nothing(span) }
    guard manifest.kind == .sensor else {
      report(
        .boundNotSupported, "\(device) is not a sensor", argument.span,
        label: "this is \(manifest.title)")
      return nil
    }
    return observe(.heard(device), span)
  }

  /// Checks `used_by(gps, moves)`: true when the device serves a demand of the service.
  mutating func used(
    by arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 2, case .path(let argument) = arguments[0].kind,
      case .path(let name) = arguments[1].kind
    else {
      report(
        .badArguments, "“used_by” takes a device and a service", span, hint: "as in: used_by(gps, moves)")
      return nil
    }
    guard let word = service(name) else {
      reportUnknown(
        .unknownName, "no service is called “\(name.text)”", name.span, name.text, among: Self.serviceNames,
        else: "the services are \(Self.serviceNames.joined(separator: ", "))")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    return manifest == nil ? nothing(span) : observe(.used(device, by: word), span)
  }

  static let serviceNames = ServiceWord.allCases.map(\.rawValue).sorted()

  /// Checks `unexplained(gps)`: the time for which a device was on without a complete chain of causes.
  mutating func unexplained(
    _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "“unexplained” takes one device, or none", span, hint: "as in: unexplained(gps)")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    return manifest == nil ? nothing(span) : observe(.unexplained(device), span)
  }

  /// Checks `cheap(net)`: true when a transfer costs little now, because of external power, Wi-Fi or an
  /// active radio.
  mutating func cheap(_ arguments: [SyntaxExpression], _ span: SourceSpan) -> CheckedExpression? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "“cheap” takes one radio", span, hint: "as in: cheap(net)")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    guard let manifest else { return nothing(span) }
    guard manifest.kind == .radio else {
      report(
        .boundNotSupported, "\(device) is not a radio, so it has no transfers", argument.span,
        label: "this is \(manifest.title)")
      return nil
    }
    var signs: [CheckedExpression] = []
    for (path, word) in [("power.source", "external"), ("net.kind", "wifi")] {
      guard let schema = vocabulary.schema(path), let value = schema.value(from: word) else { continue }
      let fact = CheckedExpression(kind: .fact(path), type: schema.type, span: span)
      signs.append(CheckedExpression(kind: .oneOf(fact, [value]), type: .boolean, span: span))
    }
    signs.append(CheckedExpression(kind: .fact(device.path + ".on"), type: .boolean, span: span))
    guard signs.count > 1 else { return signs.first }
    return CheckedExpression(kind: .or(signs), type: .boolean, span: span)
  }
}
