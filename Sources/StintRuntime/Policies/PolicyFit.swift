import StintLanguage
public import StintModel

extension PolicyLoader.Loaded {
  /// Returns the reason why no rule can have an effect on these devices, with the devices that are missing.
  /// Returns nil when a rule can have an effect, or when there are no rules.
  ///
  /// Such policies are valid: a device that is not `required` may be absent. But policies without any effect
  /// are usually those of other hardware.
  public func misfit(_ vocabulary: Vocabulary) -> String? {
    let rules = policies.flatMap(\.rules)
    guard !rules.isEmpty, rules.allSatisfy(\.isInert) else { return nil }
    var missing: [String] = []
    for diagnostic in diagnostics where diagnostic.code == .missingOptionalDevice {
      // The rest of the title states the consequence for one rule.
      let title = String(diagnostic.title.prefix { $0 != ":" })
      if !missing.contains(title) { missing.append(title) }
    }
    let names = vocabulary.manifests.map(\.device.path).joined(separator: ", ")
    let devices = names.isEmpty ? "there are no devices" : "the devices are \(names)"
    return (["no rule can have an effect"] + missing + [devices]).joined(separator: "; ")
  }
}
