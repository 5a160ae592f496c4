import StintAuthoring
import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Policies that read facts: names in place of numbers, and automatic corrections")
struct ReadingPolicyTests {
  private func check(_ text: String) throws -> PolicyCheck {
    PolicyCheck(
      [SourceText(file: "p.stint", text: text)],
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
  }

  @Test("a parameter or a `let` is accepted in place of each number, even in rules that read sensors")
  func names() throws {
    let check = try check(
      """
      policy "names" version 1
      use location.gnss as gps required
      use motion.accelerometer as accel
      param low = 20 % in 5 % .. 50 %
      let high = 25 %
      param hold = 4 min in 1 min .. 10 min
      let pace = 1 per 30 s
      param far = 100 m in 50 m .. 1 km
      let short = 30 s
      param amount = 100 J in 1 J .. 1 kJ
      zone home = circle 47.05 8.31 radius far enter_after short exit_after hold
      default gps { accuracy far linger short max_age hold }
      rule a while battery.level below low release high for hold tolerate short { pause gps }
      rule b while trend(gps.accuracy, hold) > -5 m or age(gps.accuracy) > hold {
        downgrade gps to far  batch gps until far or hold
      }
      rule c when screen.on at most pace { stop gps for hold doubling to hold }
      rule d every hold flex short if starts(gps) > 3 per h or wakeups() > pace or wakeups(gps) > 5 per h {
        fix gps to far timeout short
      }
      rule e while gps.powered and motion.activity is not walking and inside(home) { downgrade gps to pace }
      rule f when starts(gps) between pace and 6 per min {
        start gps for "x" with { rate pace accuracy far latency hold } for hold
      }
      budget t = amount per day on gps { at low { downgrade gps to far } at 100 % { stop gps } }
      """)
    #expect(!check.hasErrors, "\(check.diagnostics)")
    #expect(check.readings.contains { $0.rule.rule == "e" && $0.devices == ["motion.accelerometer"] })
  }

  @Test("a `use` counts as used when rules read facts of its device, and no correction removes it")
  func required() throws {
    for word in ["", " required"] {
      let text = """
        policy "used" version 1
        use location.gnss as gps required
        use motion.accelerometer as accel\(word)
        rule a while motion.activity is still { pause gps }

        """
      let check = try check(text)
      #expect(check.diagnostics.allSatisfy { $0.code.rawValue != "W0202" }, "\(check.diagnostics)")
      let fixing = PolicyFixing(check, vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
      #expect(fixing.changes.isEmpty)
    }
  }

  @Test("a release on the wrong side of its threshold is an error that no fix changes")
  func release() throws {
    let text = """
      policy "wrong" version 1
      use location.gnss as gps required
      rule a while battery.level below 25 % release 20 % { pause gps }

      """
    #expect(try check(text).diagnostics.map(\.code.rawValue) == ["P0402"])
    #expect(try check(text).diagnostics.allSatisfy { $0.fix == nil })
  }
}
