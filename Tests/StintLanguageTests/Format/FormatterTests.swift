import StintAuthoring
import StintLanguage
import StintTestSupport
import Testing

@Suite("Formatter")
struct FormatterTests {
  @Test("the layout does not depend on the original white space")
  func oneLayout() {
    let text = """
      # Hills.
      policy   "hiking"  version 3
      use location.gnss as gps required
      use motion.accelerometer   as accel # cheap
      let moving=motion.activity in[walking,running]
      let poor = not known( gps.accuracy )or gps.accuracy>50m
      param hold=500 m in 100 m..2 km
      schedule night = mon,tue 22:00 .. 06:30
      default gps{accuracy 10 m activity fitness}
      rule hold "why" while moving{
      batch gps until hold or 5min


      # above
      pause gps for 5 min doubling to 1h }
      rule empty always {}
      """
    let expected = """
      # Hills.
      policy "hiking" version 3

      use location.gnss        as gps required
      use motion.accelerometer as accel  # cheap

      let moving = motion.activity in [walking, running]
      let poor   = not known(gps.accuracy) or gps.accuracy > 50 m

      param hold = 500 m in 100 m .. 2 km

      schedule night = mon, tue 22:00..06:30

      default gps { accuracy 10 m  activity fitness }

      rule hold "why"
      while moving {
        batch gps until hold or 5 min

        # above
        pause gps for 5 min doubling to 1 h
      }

      rule empty always {}

      """
    #expect(formatted(text) == expected)
    #expect(formatted(expected) == expected)
  }

  @Test("signs, units and rule names of other policies are not split by spaces")
  func joined() {
    let text = """
      policy "p"

      let a = -x * 2 - -5 m / 3

      rule r over other-policy/pack while speed > 80 km/h and (a) release {}
      """
    #expect(formatted(text).hasPrefix("refused"))
    let sound = "policy \"p\"\n\nrule r over other-policy/pack while v>80 km/h and - x-5 m<3 m/s2{}"
    #expect(
      formatted(sound)
        == "policy \"p\"\n\nrule r over other-policy/pack while v > 80 km/h and -x - 5 m < 3 m/s2 {}\n")
  }

  @Test("the setting after a number without a unit is on a new line")
  func bareNumber() {
    let text = "policy \"p\"\ndefault gps { depth 3\nodd yes }\n"
    #expect(formatted(text) == "policy \"p\"\n\ndefault gps {\n  depth 3\n  odd yes\n}\n")
    #expect(tree(formatted(text)) == tree(text))
  }

  @Test("a long condition is broken before its outermost operators")
  func longCondition() {
    let word = "some_rather_long_name_for_a_condition"
    let text = "policy \"p\"\nlet a = \(word) and (\(word) or \(word)) and \(word)\n"
    #expect(
      formatted(text)
        == """
        policy "p"

        let a = \(word)
            and (\(word) or \(word))
            and \(word)

        """)
    #expect(formatted(formatted(text)) == formatted(text))
  }

  @Test("a comment stays between the same two tokens")
  func commentsWithin() {
    let text =
      "policy \"p\"\nlet a = x # one\n  # two\n  and y\nrule r while a { # three\n stop gps\n # four\n}\n# five"
    let expected = """
      policy "p"

      let a = x  # one
          # two
          and y

      rule r while a {  # three
        stop gps
        # four
      }

      # five

      """
    let adjacent = expected.replacing("}\n\n# five", with: "}\n# five")
    #expect(formatted(text) == adjacent)
    #expect(formatted(expected) == expected)
  }

  @Test(
    "a text with syntax errors is rejected with its diagnostics",
    arguments: [
      "", "rule", "policy \"p\"\nrule r while { }", "policy \"p\"\nzone home = circle 1 2 radius 5",
    ])
  func refused(text: String) {
    guard case .failure(let refusal) = Formatter.format(SourceText(file: "f", text: text)) else {
      Issue.record("formatted instead of rejected: \(text)")
      return
    }
    #expect(!refusal.diagnostics.isEmpty)
  }

  @Test("formatting is idempotent and keeps the tree and the comments", arguments: Trials(4000).seeds)
  func stable(seed: UInt64) {
    var generator = PolicyGenerator(seed: seed)
    let text = generator.policy()
    let once = formatted(text)
    #expect(!once.hasPrefix("refused"), "\(once)\n\(text)")
    #expect(formatted(once) == once)
    #expect(tree(once) == tree(text))
    #expect(comments(once) == comments(text))
    #expect(!once.contains("\r"))
  }
}
