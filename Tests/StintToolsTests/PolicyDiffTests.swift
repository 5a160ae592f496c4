import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Comparing the meaning of policies")
struct PolicyDiffTests {
  private func diff(_ old: String, _ new: String) throws -> PolicyDiff {
    func sources(_ name: String, _ body: String) -> [SourceText] {
      body.isEmpty
        ? [] : [SourceText(file: name, text: "policy \"p\"\nschedule night = 22:00..06:00\n\(body)\n")]
    }
    return try PolicyDiff(
      from: sources("a.stint", old), to: sources("b.stint", new),
      vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
  }

  @Test("a changed limit gives one region, between the old and the new limit, with an example of facts")
  func movedLimit() throws {
    let diff = try diff(
      "rule low while battery.level < 20 % { downgrade location.gnss to 100 m }",
      "rule low while battery.level < 15 % { downgrade location.gnss to 100 m }")
    #expect(
      diff.text() == """
        location.gnss
          where battery.level >= 15 % and battery.level < 20 %
            - downgrade to 100 m
            + as requested
            e.g. battery.level = 15 %
        1 region
        """)
    #expect(
      diff.jsonText.contains(
        #""regions":[{"device":"location.gnss","where":["battery.level >= 15 % and battery.level < 20 %"],"#
          + #""before":["downgrade to 100 m"],"after":[],"witness":{"facts":{"battery.level":0.15},"#),
      "\(diff.jsonText)")
  }

  @Test(
    "equivalent policies with different texts have no difference",
    arguments: [
      (
        "rule a while screen.on and battery.level < 20 % { pause location.gnss }",
        "rule b while battery.level < 20 % and screen.on == true { pause location.gnss }"
      ),
      (
        "rule a while not (battery.level >= 20 %) { pause location.gnss }",
        "let low = battery.level < 20 %\nrule a while low { pause location.gnss }"
      ),
      (
        "rule a while screen.on { stop location.gnss }",
        "rule a while screen.on { stop location.gnss }\nrule b while screen.on for 5 min { pause location.gnss }"
      ),
      (
        "rule a while battery.level < 20 % { downgrade location.gnss to 100 m }",
        """
        rule a while battery.level < 20 % { downgrade location.gnss to 100 m }
        rule b while battery.level < 30 % and not (battery.level >= 20 %) { downgrade location.gnss to 50 m }
        """
      ),
    ])
  func same(_ old: String, _ new: String) throws {
    let diff = try diff(old, new)
    #expect(diff.text() == "no decision changes")
    #expect(diff.difference.isEmpty)
  }

  @Test("differences in schedules, spans and overrides are reported as regions")
  func others() throws {
    #expect(
      try diff("", "rule a while time in night { stop location.gnss }").text().contains(
        "where daily 22:00..06:00"))
    let spans = try diff(
      "rule a while motion.activity is still for 4 min { pause location.gnss }",
      "rule a while motion.activity is still for 6 min { pause location.gnss }")
    #expect(spans.difference.regions.count == 1)
    #expect(spans.text().contains("motion.activity = still for 4 min"))
    let overridden = try diff(
      "rule a while screen.on { pause location.gnss }\nrule b while battery.level > 50 % { downgrade location.gnss to 50 m }",
      "rule a while screen.on { pause location.gnss }\nrule b over a while battery.level > 50 % { downgrade location.gnss to 50 m }"
    )
    #expect(overridden.text().contains("where screen.on and battery.level > 50 %"))
  }

  @Test("each changed default is listed, even without a changed region")
  func defaults() throws {
    let diff = try diff(
      "default location.gnss { accuracy 50 m  linger 5 s }",
      "default location.gnss { accuracy 80 m  linger 5 s }")
    #expect(
      diff.text() == """
        location.gnss  defined differently
          - accuracy 50 m
          + accuracy 80 m
        0 regions
        """)
  }

  @Test("policies with errors are not compared")
  func refused() {
    #expect(throws: PolicyRefusal.self) { try diff("rule", "") }
  }

  @Test("a changed transition of a machine and a changed max_age are listed")
  func machines() throws {
    let trip = """
      machine trip starts idle {
        state idle { goto moving when motion.activity is walking }
        state moving { start location.gnss  goto idle when screen.on }
      }
      """
    let text = try diff(trip, trip.replacing("when screen.on", with: "when battery.level < 20 %")).text()
    #expect(text.contains("p/trip is moving and screen.on"), "\(text)")
    #expect(text.contains("p/trip goes to idle"), "\(text)")
    let ages = try diff("", "default location.gnss { max_age 20 s }").text()
    #expect(ages.contains("+ max_age 20 s"), "\(ages)")
  }
}
