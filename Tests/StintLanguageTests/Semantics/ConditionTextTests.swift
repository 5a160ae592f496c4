import StintModel
import StintTestSupport
import Testing

@testable import StintLanguage

@Suite("Conditions as strings")
struct ConditionTextTests {
  private static let vocabulary = TestVocabulary.vocabulary

  private func condition(_ text: String) throws -> CheckedExpression {
    let source = SourceText(file: "p", text: "policy \"p\"\nrule r while \(text) { pause location.gnss }")
    let result = Checker.check([source], vocabulary: Self.vocabulary)
    let errors = result.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(text): \(errors.map(\.title))")
    return try #require(result.policies.first?.rules.first?.trigger.condition)
  }

  @Test(
    "brackets are written where the grammar requires them",
    arguments: [
      ("(screen.on and screen.on) or screen.on", "(screen.on and screen.on) or screen.on"),
      ("(battery.level < 20 %) and (not (screen.on))", "battery.level < 20 % and not screen.on"),
      ("not (battery.level < 20 %)", "not (battery.level < 20 %)"),
      ("(screen.on or screen.on) for 4 min", "(screen.on or screen.on) for 4 min"),
      ("(screen.on for 4 min) in last 1 h", "(screen.on for 4 min) in last 1 h"),
      (
        "(location.gnss.accuracy + 1 m) * 2 < 50 m", "(location.gnss.accuracy + 1 m) * 2 < 50 m"
      ),
      ("(location.gnss.speed * 10 s) + 1 m < 50 m", "location.gnss.speed * 10 s + 1 m < 50 m"),
      (
        "location.gnss.accuracy - (location.gnss.distance - 1 m) < 5 m",
        "location.gnss.accuracy - (location.gnss.distance - 1 m) < 5 m"
      ),
      ("(battery.level < 20 %) == screen.on", "(battery.level < 20 %) == screen.on"),
      (
        "clamp(battery.level + 1 %, 10 %, 20 %) * 2 < 30 %",
        "clamp(battery.level + 1 %, 10 %, 20 %) * 2 < 30 %"
      ),
      ("motion.activity == walking", "motion.activity is walking"),
      ("motion.activity is not walking", "not (motion.activity is walking)"),
      (
        "not battery.level between 20 % and 50 %", "not (battery.level >= 20 % and battery.level <= 50 %)"
      ),
    ])
  func brackets(_ text: String, _ expected: String) throws {
    #expect(ConditionText([]).text(try condition(text)) == expected)
  }

  @Test("R17: the age of a device is the age of the first fact that the device measures")
  func ageOfDevice() throws {
    let text = ConditionText([]).text(try condition("age(location.gnss) > 10 min"))
    #expect(text == "age(location.gnss.accuracy) > 10 min")
  }

  @Test("writing a condition as text and checking this text gives an equal condition", arguments: 0..<300)
  func returns(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let first = try condition(Self.random(depth: 4, using: &generator))
    let second = try condition(ConditionText([]).text(first))
    #expect(second.unplaced { $0 } == first.unplaced { $0 }, "\(ConditionText([]).text(first))")
  }

  @Test("the text of a `goto` condition contains its state once, even if the condition contains `for`")
  func countedInState() throws {
    let source = SourceText(
      file: "p",
      text: """
        policy "p"
        machine m starts a {
          state a { goto b when screen.on and (battery.level < 20 % or screen.on) for 20 s }
          state b { goto a when not ((screen.on for 5 s) for 20 s) }
        }
        """)
    let result = Checker.check([source], vocabulary: Self.vocabulary)
    #expect(
      result.policies.first?.rules.compactMap { $0.trigger.condition.map(ConditionText([]).text) } == [
        "p/m is a and (screen.on and ((battery.level < 20 % or screen.on) for 20 s))",
        "p/m is b and not ((screen.on for 5 s) for 20 s)",
      ])
  }

  // MARK: Random conditions with redundant brackets

  private static func random(depth: Int, using generator: inout SeededGenerator) -> String {
    guard depth > 0, !generator.once(in: 6) else { return leaf(using: &generator) }
    func next(_ generator: inout SeededGenerator) -> String { random(depth: depth - 1, using: &generator) }
    return switch Int.random(in: 0..<8, using: &generator) {
    case 0: "(\(next(&generator))) and (\(next(&generator)))"
    case 1: "(\(next(&generator))) or (\(next(&generator)))"
    case 2: "(\(next(&generator))) implies (\(next(&generator)))"
    case 3: "not (\(next(&generator)))"
    case 4: "(\(next(&generator))) for 4 min tolerate 30 s"
    case 5: "(\(next(&generator))) in last 10 min"
    case 6: "(\(next(&generator))) == (\(next(&generator)))"
    default:
      "\(length(depth, using: &generator)) \(generator.pick(["<", ">=", "=="])) \(length(depth, using: &generator))"
    }
  }

  private static func leaf(using generator: inout SeededGenerator) -> String {
    generator.pick(
      [
        "screen.on", "motion.activity in [walking, running]", "app.state is background",
        "known(location.gnss.accuracy)", "age(battery.level) > 10 min", "demanded(location.gnss)",
        "battery.level below 20 % release 25 %", "battery.level between 20 % and 50 %",
        "count(motion.activity, 1 min) < 3",
      ])
  }

  private static func length(_ depth: Int, using generator: inout SeededGenerator) -> String {
    guard depth > 0 else {
      return generator.pick(["location.gnss.accuracy", "50 m", "trend(location.gnss.accuracy, 90 s)"])
    }
    func next(_ generator: inout SeededGenerator) -> String { length(depth - 1, using: &generator) }
    return switch Int.random(in: 0..<6, using: &generator) {
    case 4: "clamp(\(next(&generator)), 5 m, 10 m)"
    case 0: "(\(next(&generator))) + (\(next(&generator)))"
    case 1: "(\(next(&generator))) - (\(next(&generator)))"
    case 2: "(\(next(&generator))) * 2"
    case 3: "-(\(next(&generator)))"
    default: next(&generator)
    }
  }
}
