import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

/// Tests the facts that count switch-ons, starts and wake-ups of a receiver that pauses between its samples.
@Suite("Policies: counts of switch-ons, starts and wake-ups of the processor")
struct CountedFactTests {
  private static let policy = """
    policy "p"
    use location.gnss as gps required
    use radio.wifi as wifi
    schedule runs = 07:00..09:00
    default gps { accuracy 20 m activity automotive background on linger 5 s }
    rule run while time in runs { start gps for "parents" with { accuracy 20 m rate 1 per 10 s } }
    rule kept while gps.powered for 10 min { batch wifi until 1 min }
    rule on while gps.on for 10 min { batch wifi until 1 min }
    test "t" {
      given battery.level = 100 %

    """

  @Test(
    "one sample every 10 s causes one switch-on, and 300 to 400 starts and processor wake-ups per hour",
    arguments: [
      "wakeups(gps) <= 1 per h at 7 h 59 min",
      "starts(gps) > 300 per h and starts(gps) < 400 per h at 7 h 59 min",
      "wakeups() > 300 per h and wakeups() < 400 per h at 7 h 59 min",
      "gps.powered and kept and not on at 7 h 59 min",
      "starts(gps) == 0 per h and wakeups() == 0 per h and not gps.powered at 10 h 5 min",
    ])
  func counts(_ expectation: String) throws {
    let text = Self.policy + "expect \(expectation) }\n"
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let tests = try PolicyTests([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    let report = try tests.run()
    #expect(report.failures == 0, "\(report.text())")
  }
}
