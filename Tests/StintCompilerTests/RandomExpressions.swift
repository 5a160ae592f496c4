import StintLanguage
import StintModel
import StintUnits

/// Generates well-typed expressions over the facts of `RuleVMBench`, with spans of whole seconds.
struct RandomExpressions {
  var generator: SplitMix

  mutating func condition(depth: Int) -> CheckedExpression {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<13, using: &generator) {
    case 0: return not(condition(depth: depth - 1))
    case 1, 2: return truth(.and(conditions(depth: depth - 1)))
    case 3, 4: return truth(.or(conditions(depth: depth - 1)))
    case 5: return truth(.implies(condition(depth: depth - 1), condition(depth: depth - 1)))
    case 6, 7: return condition(depth: depth - 1).held(span())
    case 8: return condition(depth: depth - 1).held(span(), tolerate: span())
    case 9, 10: return condition(depth: depth - 1).inLast(span())
    case 11: return compare(amount(depth: 2), comparison(), amount(depth: 2))
    default:
      return truth(
        .latch(
          generator.pick([.below, .above]), value: amount(depth: 1), threshold: number(2), release: number(2))
      )
    }
  }

  private mutating func conditions(depth: Int) -> [CheckedExpression] {
    (0..<Int.random(in: 2...4, using: &generator)).map { _ in condition(depth: depth) }
  }

  private mutating func leaf() -> CheckedExpression {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1, 2: return flag(generator.pick(["a", "b", "c"]))
    case 3: return truth(.known(generator.pick(["a", "x", "stale"])))
    case 4:
      let comparison = generator.pick([Comparison.less, .lessOrEqual, .greater, .greaterOrEqual])
      return truth(.age(generator.pick(["a", "x", "stale"]), comparison, span()))
    case 5: return truth(.demanded("gps"))
    case 6: return truth(.inSchedule(Int.random(in: 0...1, using: &generator)))
    case 7: return truth(.oneOf(word, [.symbol(0), .symbol(2)]))
    case 8: return truth(.compare(generator.pick([.equal, .notEqual]), flag("a"), flag("b")))
    default: return compare(amount(depth: 0), comparison(), amount(depth: 0))
    }
  }

  private var word: CheckedExpression {
    CheckedExpression(kind: .fact("w"), type: .symbol(RuleVMBench.words), span: nowhere)
  }

  /// Generates a numeric expression whose constants are small integers. The expression contains no averages,
  /// rates and trends, because their rounding could change the result of a comparison.
  private mutating func amount(depth: Int) -> CheckedExpression {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
    case 0, 1: return number(Double(Int.random(in: 0...4, using: &generator)))
    case 2, 3: return level(generator.pick(["x", "y", "stale"]))
    case 4:
      let function = generator.pick([WindowFunction.min, .max, .spread, .count])
      return number(.window(function, fact: generator.pick(["x", "stale"]), span()))
    case 5: return number(.negate(amount(depth: depth - 1)))
    default:
      let operation = generator.pick(Arithmetic.allCases)
      return number(.arithmetic(operation, amount(depth: depth - 1), amount(depth: depth - 1)))
    }
  }

  private mutating func comparison() -> Comparison { generator.pick(Comparison.allCases) }

  private mutating func span() -> TimeSpan { .seconds(Int64.random(in: 1...9, using: &generator)) }
}
