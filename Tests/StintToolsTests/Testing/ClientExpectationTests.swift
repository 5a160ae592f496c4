import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

/// Runs tests in policies with several clients. The grant of each client depends on its own settings.
@Suite("Tests in policies: clients")
struct ClientExpectationTests {
  private static let policy = """
    policy "walk"
    use location.gnss as gps
    use motion.accelerometer as accel
    default gps { accuracy 10 m  linger 5 s }
    rule thrift while battery.level below 20 % release 25 % and client.accuracy >= 50 m { pause gps }
    rule tired while client.background for 5 min { downgrade gps to 100 m }
    rule quiet while client.name in ["logger", "coach"] and screen.on { stop gps }

    """

  private func report(_ tests: String, mutate: Bool = false) throws -> TestReport {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "walk.stint", text: Self.policy + tests)
    return try PolicyTests([source], vocabulary: vocabulary).run(coverage: true, mutate: mutate)
  }

  private func misses(_ steps: String) throws -> [String] {
    let report = try report("test \"t\" {\n\(steps)\n}\n")
    let source = try #require(report.sources.first)
    return report.outcomes.flatMap(\.misses).map { source.text(of: $0.expectation.span) }
  }

  @Test("the grant of each client depends on its own settings")
  func settings() throws {
    let missed = try misses(
      """
      given battery.level = 80 %, app.state = foreground
      at 0 s attach "fine" on gps with { accuracy 10 m  rate 1 Hz }
      at 0 s attach "coarse" on gps with { accuracy 100 m  rate 1 per 10 s }
      at 1 min set battery.level = 15 %
      expect grant("fine") is served at 2 min
      expect grant("coarse", gps) is paused at 2 min because thrift
      expect grant("fine", gps.accuracy) == 10 m and grant("fine", gps.period) == 1 s at 2 min
      expect thrift and gps is track at 2 min
      at 3 min set battery.level = 24 %
      expect grant("coarse") is paused at 4 min
      at 5 min set battery.level = 30 %
      expect grant("coarse") is served and grant("coarse", gps.accuracy) == 100 m at 6 min
      at 7 min detach "coarse"
      expect not known(gps.accuracy) or grant("fine") is served at 8 min
      """)
    #expect(missed == [])
  }

  @Test("each demand has its own timer, which survives a reload and ends with the demand")
  func time() throws {
    let missed = try misses(
      """
      given app.state = background, battery.level = 80 %
      at 0 s attach "first"
      at 2 min attach "second" with { accuracy 20 m }
      at 4 min reload
      expect grant("first", gps.accuracy) < 100 m at 4 min 59 s
      expect grant("first", gps.accuracy) == 100 m by 5 min because tired
      expect grant("second", gps.accuracy) == 20 m at 6 min 59 s
      expect grant("second", gps.accuracy) == 100 m by 7 min because tired
      at 8 min detach "first"
      at 9 min attach "first"
      expect grant("first", gps.accuracy) == 10 m at 13 min 59 s
      expect grant("first", gps.accuracy) == 100 m by 14 min
      """)
    #expect(missed == [])
  }

  @Test(
    "an expectation fails when the client does not have the expected grant",
    arguments: [
      "expect grant(\"coach\") is served at 1 min", "expect grant(\"other\") is stopped at 1 min",
      "expect grant(\"other\") is served at 1 min because quiet",
      "expect grant(\"nobody\", gps) is served at 1 min",
      "expect grant(\"other\", accel) is served at 1 min",
    ])
  func missed(expectation: String) throws {
    let steps = """
      given battery.level = 80 %, screen.on = true
      at 0 s attach "coach"
      at 0 s attach "other"
      """
    #expect(try misses(steps + "\n" + expectation) == [expectation])
  }

  @Test("tests that check grants detect mutants of per-demand rules")
  func mutants() throws {
    let report = try report(
      """
      test "thrift pauses only the coarse client" {
        given battery.level = 21 %, screen.on = false
        at 0 s attach "fine" with { accuracy 48 m }
        at 0 s attach "coarse" with { accuracy 52 m }
        expect grant("coarse") is served at 1 min
        at 2 min set battery.level = 19 %
        expect grant("coarse") is paused at 3 min
        expect grant("fine") is served at 3 min
        at 4 min set battery.level = 24 %
        expect grant("coarse") is paused at 5 min
        at 6 min set battery.level = 26 %
        expect grant("coarse") is served at 7 min
      }

      """, mutate: true)
    #expect(report.failures == 0)
    let mutants = try #require(report.files.first?.mutants)
    let thrift = mutants.filter { mutant in
      report.sources[0].text(of: mutant.mutation.span).contains("50 m")
        || report.sources[0].text(of: mutant.mutation.span).contains("20 %")
    }
    let survivors = thrift.filter { $0.killedBy == nil }.map(\.mutation.text)
    #expect(!thrift.isEmpty)
    #expect(survivors == [])
    let coverage = try #require(report.files.first?.coverage)
    let neverHeld = coverage.rulesNeverInForce.map(\.description)
    #expect(neverHeld == ["walk/tired", "walk/quiet"])
  }
}
