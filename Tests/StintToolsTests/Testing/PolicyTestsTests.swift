import StintLanguage
import StintModel
import StintSimulation
import StintTools
import StintUnits
import Testing

/// Runs tests in policies on the simulated phone, as `stint test` does.
@Suite("Tests in policies")
struct PolicyTestsTests {
  private static let policy = """
    policy "walk"
    use location.gnss as gps
    default gps { accuracy 10 m  activity fitness  linger 5 s }
    rule still while not motion.activity in [walking, running] for 4 min { pause gps }
    rule saver while battery.level below 20 % release 25 % { downgrade gps to 100 m }
    rule busy over still while screen.on { batch gps until 1 min }

    """

  private func report(
    _ tests: String, coverage: Bool = false, mutate: Bool = false
  ) throws -> TestReport {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "walk.stint", text: Self.policy + tests)
    return try PolicyTests([source], vocabulary: vocabulary).run(coverage: coverage, mutate: mutate)
  }

  @Test("files are loaded one by one or all together, as requested")
  func files() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let texts = [
      "test \"on\" { given battery.level = 10 %  at 0 s attach \"app\" with { accuracy 5 m }  expect gps.on at 1 min }",
      "rule off while battery.level below 20 % release 25 % { stop gps }\n"
        + "test \"off\" { given battery.level = 10 %  at 0 s attach \"app\"  expect not gps.on at 1 min }",
    ]
    let sources = texts.enumerated().map { number, text in
      SourceText(
        file: "p\(number).stint", text: "policy \"p\(number)\"\nuse location.gnss as gps\n\(text)\n")
    }
    let alone = try PolicyTests.files(sources, together: false, vocabulary: vocabulary).run()
    #expect(alone.files.map(\.file) == ["p0.stint", "p1.stint"] && alone.sources == sources)
    #expect(alone.outcomes.map(\.hasPassed) == [true, true])
    let together = try PolicyTests.files(sources, together: true, vocabulary: vocabulary).run()
    #expect(together.outcomes.map(\.hasPassed) == [false, true])
  }

  private func misses(_ steps: String) throws -> [String] {
    let report = try report("test \"t\" {\n\(steps)\n}\n")
    let source = try #require(report.sources.first)
    return report.outcomes.flatMap(\.misses).map { source.text(of: $0.expectation.span) }
  }

  @Test("a device follows the facts of the test, and a reload during the test has no effect")
  func follows() throws {
    let missed = try misses(
      """
      given battery.level = 80 %, motion.activity = walking
      at 0 s attach "app"
      at 10 min set motion.activity = still
      at 12 min reload
      expect gps is track at 13 min
      expect gps is off by 14 min 6 s because still
      expect still at 15 min
      """)
    #expect(missed == [])
  }

  @Test(
    "an expectation that is not met is reported",
    arguments: [
      "expect gps is track at 5 min", "expect not gps.on by 3 min", "expect still at 3 min 59 s",
      "expect gps is off at 5 min because saver", "expect saver", "expect battery.level > 81 % at 1 min",
      "expect demanded(gps) at 9 min",
    ])
  func missed(expectation: String) throws {
    let steps = """
      given battery.level = 80 %, motion.activity = still, screen.on = false
      at 0 s attach "app"
      at 8 min detach "app"
      """
    // Expectations before 8 min apply while the client is attached, although they follow the detachment in
    // the file.
    #expect(try misses(steps + "\n" + expectation) == [expectation])
  }

  @Test("facts with values from a test do not become stale, and a test can set a fact to unknown")
  func facts() throws {
    let missed = try misses(
      """
      given location.gnss.accuracy = 80 m, battery.level = 80 %
      at 1 min set location.gnss.accuracy = unknown
      expect known(gps.accuracy) at 59 s
      expect gps.accuracy > 79 m at 59 s
      expect not known(gps.accuracy) at 1 min
      """)
    #expect(missed == [])
  }

  @Test("a client that attaches with data to send turns the radio on")
  func transfer() throws {
    let missed = try misses(
      """
      given net.kind = cellular
      at 1 min attach "mail" on radio.cellular with { up 20 kB  deadline 5 min }
      expect radio.cellular.on by 1 min 5 s
      """)
    #expect(missed == [])
  }

  @Test("coverage reports the rules and comparisons that are not covered by a test")
  func coverage() throws {
    let report = try report(
      """
      test "t" {
        given battery.level = 80 %, motion.activity = still, screen.on = false
        at 0 s attach "app"
        expect still at 5 min
      }
      """, coverage: true)
    let coverage = try #require(report.files.first?.coverage)
    #expect(coverage.rules == 3)
    #expect(coverage.rulesNeverInForce.map(\.rule) == ["saver", "busy"])
    #expect(coverage.branches == 6)
    #expect(coverage.branchesSeen == 3)
    #expect(coverage.gaps.count == 3)
  }

  @Test("F15: a mutant survives until a test checks the changed behaviour")
  func mutants() throws {
    func survivors(_ expectations: String) throws -> [String] {
      let report = try report(
        """
        test "t" {
          given battery.level = 21 %, motion.activity = walking, screen.on = false
          at 0 s attach "app"
          at 1 min set battery.level = 19 %
          at 2 min set battery.level = 24 %
          at 3 min set battery.level = 26 %
          at 10 min set motion.activity = still
          at 20 min set screen.on = true
          expect gps.on at 30 s
          \(expectations)
        }
        """, mutate: true)
      #expect(report.failures == 0)
      let mutants = try #require(report.files.first?.mutants)
      #expect(mutants.count == 9)
      return mutants.filter { $0.killedBy == nil }.map(\.mutation.text)
    }
    // With a limit of 22 %, another device supplies the coarse position from the start. So `gps.on` is false,
    // and this mutant is detected.
    #expect(try survivors("").count == 8)
    let checks = """
      expect not saver at 59 s
      expect saver at 61 s
      expect saver at 2 min 1 s
      expect not saver at 3 min 1 s
      expect not still at 13 min 50 s
      expect still at 14 min 1 s
      expect gps is off at 15 min
      expect gps.on by 21 min
      """
    #expect(try survivors(checks) == [])
  }

  @Test("a test fails when a requirement is violated")
  func violation() throws {
    let report = try report(
      """
      require battery.level > 50 %
      test "t" {
        given battery.level = 80 %
        at 1 min set battery.level = 40 %
        expect battery.level < 50 % at 2 min
      }
      """)
    #expect(report.failures == 1)
    #expect(report.outcomes.flatMap(\.violations).map(\.text) == ["battery.level > 50 %"])
    #expect(report.outcomes.flatMap(\.violations).map(\.at) == [.minutes(1)])
  }

  @Test("a failure has a timeline of the facts that the expectation reads")
  func timeline() throws {
    let report = try report(
      """
      test "stays on" {
        given motion.activity = still, battery.level = 80 %, screen.on = false
        at 0 s attach "app"
        expect gps.on at 5 min
      }
      """)
    #expect(
      report.text() == """
        walk.stint
          FAIL  stays on
                walk.stint:10: expect gps.on at 5 min
                it was false at 5 min
                  0 s        location.gnss.on = true
                  4 min      rule walk/still comes into force
                  4 min 5 s  location.gnss.on = false
        0 passed, 1 failed
        """)
    #expect(report.junitText.contains("<failure message=\"line 10: expect gps.on at 5 min\"/>"))
    #expect(report.jsonText.contains("\"failed\":1"))
  }
}
