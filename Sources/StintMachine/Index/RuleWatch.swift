/// A test that a rule's code makes of a fact: the rule is looked at when the answer changes.
struct RuleWatch {
  var fact: Int
  var rule: Int
  var test: ValueTest
}
