import StintModel

/// The content of a rule without its name and without indexes, for comparing rules of two images.
struct RuleContent: Hashable {
  var trigger: String
  var directives: [ImageDirective]
  var acts: [Act]

  /// Returns the contents of all rules of an image. `renamed` maps the old paths of facts that policies
  /// declare to the new paths.
  static func all(of image: Image, renamed: [String: String] = [:]) -> [RuleContent] {
    let nameless = RuleID(policy: "", rule: "")
    return image.rules.map { rule in
      let directives = rule.directives.map { place in
        var entry = image.directives[place]
        entry.rule = 0
        entry.until = 0..<0
        entry.structure = Structure.renaming(entry.structure, renamed)
        entry.directive.rule = nameless
        return entry
      }
      return RuleContent(
        trigger: Structure.renaming(rule.structure, renamed), directives: directives,
        acts: rule.acts.map { image.acts[$0] })
    }
  }
}
