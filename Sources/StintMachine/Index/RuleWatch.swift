/// A test that the code of an unindexed rule makes of a fact. The rule is evaluated when the result of the
/// test changes.
struct RuleWatch {
  var fact: Int
  var rule: Int
  var test: ValueTest
}
