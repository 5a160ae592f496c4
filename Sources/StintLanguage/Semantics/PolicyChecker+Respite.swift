import StintModel
import StintUnits

/// Checks the functions `respite` and `breakeven`. Policies compare their results to decide whether a
/// receiver switches off between fixes.
extension PolicyChecker {
  /// Checks `respite(gps, 50 m)`: how long the device is expected to stay within this distance of its last
  /// position.
  mutating func respite(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 2, case .path(let argument) = arguments[0].kind else {
      report(
        .badArguments, "“respite” takes a device and a distance", span, hint: "as in: respite(gps, 50 m)")
      return nil
    }
    guard let (device, manifest) = device(argument), let limit = expression(arguments[1]) else { return nil }
    guard limit.type == .quantity(.length), let bound = limit.constantNumber, bound > 0, bound.isFinite else {
      report(
        .notConstant, "the second argument is a distance that is known at load", arguments[1].span,
        hint: "as in: respite(\(argument.text), 50 m)")
      return nil
    }
    guard let manifest else {
      return CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
    }
    for part in ["latitude", "longitude", "accuracy", "speed"]
    where vocabulary.fact("\(device.path).\(part)") == nil {
      report(
        .boundNotSupported, "\(device) does not publish its \(part)", argument.span,
        label: "this is \(manifest.title)")
      return nil
    }
    let path = "respite(\(device.path), \(Quantity(bound, .length)))"
    let schema = FactSchema(
      path: path, type: .quantity(.time), range: -1e9...1e9,
      meaning: "how long the host is expected to stay near the device's last position")
    compute(ComputedFact(schema: schema, source: .respite(device, bound: bound)))
    return CheckedExpression(kind: .fact(path), type: .quantity(.time), span: span)
  }

  /// Checks `breakeven(gps)`: the shortest time between two fixes for which idling saves energy. An idling
  /// device is off or in standby between the fixes. The result is a constant, because the figures of the
  /// manifest determine this time.
  mutating func breakEven(
    _ name: Name, _ arguments: [SyntaxExpression], _ span: SourceSpan
  ) -> CheckedExpression? {
    guard arguments.count == 1, case .path(let argument) = arguments[0].kind else {
      report(.badArguments, "“breakeven” takes one device", span, hint: "as in: breakeven(gps)")
      return nil
    }
    guard let (device, manifest) = device(argument) else { return nil }
    guard let manifest else {
      return CheckedExpression(kind: .constant(.unknown), type: .anything, span: span)
    }
    guard let choice = IdleModeChoice(manifest) else {
      report(
        .boundNotSupported, "the manifest of \(device) has no cost of searching and tracking", argument.span,
        label: "this is \(manifest.title)")
      return nil
    }
    return CheckedExpression(
      kind: .constant(.number(choice.breakEven.seconds)), type: .quantity(.time), span: span)
  }
}
