import StintModel

/// The remaining effect of a rule when optional devices are missing.
///
/// A directive keeps the targets that are present. A directive without a present target is removed. Facts of
/// a missing device are unknown: `screen.on or gyro.on` is true while the screen is on, and `screen.on and
/// gyro.on` is never true.
extension CheckedRule {
  /// True when no directive and no act remains.
  var doesNothing: Bool { directives.isEmpty && acts.isEmpty }

  /// True when no values of the remaining facts make the condition true.
  var neverHolds: Bool { trigger.condition?.neverHolds ?? false }
}

extension PolicyChecker {
  /// Returns the missing device of a fact that is given by its full path; nil when no missing device has the
  /// fact, so that its name is wrong.
  mutating func missingDevice(ofFact name: Name) -> String? {
    if let alias = missingAlias(where: { name.text.hasPrefix($0 + ".") }) { return alias }
    guard let dot = name.text.lastIndex(of: ".") else { return nil }
    let device = String(name.text[..<dot])
    return isUndeclaredInTest(device, name, among: { $0.namesOfValues }) ? device : nil
  }

  /// Returns true when a full name is that of a missing device.
  mutating func isMissingDevice(_ name: Name) -> Bool {
    missingAlias { name.text == $0 } != nil
      || isUndeclaredInTest(name.text, name) { $0.vocabulary.manifests.map(\.device.path) }
  }

  /// Returns the declared device that is missing and whose path matches, and marks its aliases as used.
  private mutating func missingAlias(where matches: (String) -> Bool) -> String? {
    let found = aliases.filter { $0.value.manifest == nil && matches($0.value.device.path) }
    used.formUnion(found.keys)
    return found.first?.value.device.path
  }

  /// Returns true for a device that only a test names, such as `location.gnss`. A test must not prevent the
  /// use of its policy on devices without it. A name that resembles a known one is a misspelling.
  private mutating func isUndeclaredInTest(
    _ device: String, _ name: Name, among candidates: (PolicyChecker) -> [String]
  ) -> Bool {
    guard isInTest, hasRoom(for: .note), device.contains("."), vocabulary.manifest(DeviceID(device)) == nil,
      source.isASCII(name.span),
      !candidates(self).contains(where: { Suggestion.isMisspelling(name.text, of: $0) })
    else { return false }
    report(
      .missingOptionalDevice, "no device is called “\(device)”, so the test is skipped", name.span,
      severity: .note)
    return true
  }
}

extension CheckedExpression {
  /// True when no values of the remaining facts make the condition true.
  var neverHolds: Bool { !possible.contains(.yes) }

  /// Returns an expression that is always unknown.
  static func unknown(_ type: FactType, _ span: SourceSpan) -> CheckedExpression {
    CheckedExpression(kind: .constant(.unknown), type: type, span: span)
  }

  /// True when the expression has no known value, because it reads a missing device.
  package var isAlwaysUnknown: Bool {
    switch kind {
    case .constant(let value): value == .unknown
    case .and(let operands), .or(let operands): operands.allSatisfy(\.isAlwaysUnknown)
    case .implies(let left, let right): left.isAlwaysUnknown && right.isAlwaysUnknown
    default: children.contains(where: \.isAlwaysUnknown)
    }
  }

  /// True when a part of the expression reads a missing device.
  package var readsMissingDevice: Bool {
    if case .constant(.unknown) = kind { return true }
    return children.contains(where: \.readsMissingDevice)
  }

  /// The truth values that the condition may have when each of its facts may have any value.
  fileprivate var possible: TruthSet {
    var domain = PossibleTruths()
    return domain.value(of: self, at: ())
  }
}

/// The domain of truth values in which every fact may have any value. A `for` or `in last` may have the
/// values of its operand.
private struct PossibleTruths: ConditionDomain {
  mutating func leaf(_ part: CheckedExpression, at context: Void) -> TruthSet {
    switch part.kind {
    case .constant(let value): ConditionSpace.truth(of: value.number)
    case .heldFor(let operand, _, _), .inLast(let operand, _): value(of: operand, at: ())
    default: .any
    }
  }

  func negated(_ value: TruthSet) -> TruthSet { value.negated }
  func all(_ values: [TruthSet]) -> TruthSet { values.reduce(.yes) { $0.and($1) } }
  func any(_ values: [TruthSet]) -> TruthSet { values.reduce(.no) { $0.or($1) } }
}
