/// A test of a fact in the code of an unindexed rule. The VM evaluates the rule when the result of this test
/// changes.
struct RuleWatch {
  var fact: Int
  var rule: Int
  var test: ValueTest
}
