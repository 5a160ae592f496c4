import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite struct OscillationSearchTests {
  private let vocabulary = TrialDevices.vocabulary

  private func findings(_ body: String) throws -> (policies: [CheckedPolicy], oscillating: [Finding]) {
    let checked = Checker.check([PlantedDeadEnd.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title))")
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
    return (checked.policies, found.filter { $0.diagnostic.code == .oscillating })
  }

  @Test(
    "an oscillating state machine gives a finding, and the facts in the finding make the machine oscillate",
    arguments: [
      "state a { goto b when battery.level < 50 % } state b { goto a when screen.on }",
      "state a { goto b when not (battery.level < 50 % for 1 min) } state b { goto a when screen.on }",
      "state a { goto b when screen.on } state b { goto c when screen.on } state c { goto a when battery.level > 0 % }",
      "state a { goto c when screen.on goto b when not screen.on } state b { goto a when battery.level < 9 % } state c { }",
      "state a { goto b when battery.level above 50 % release 40 % } state b { goto a when battery.level < 45 % }",
      "state a { goto b when screen.on } state b { goto a when battery.level < 9 % goto c when screen.on } state c { goto b when screen.on }",
    ])
  func reproduced(_ states: String) throws {
    let (policies, found) = try findings("machine m starts a { \(states) }")
    #expect(found.count == 1)
    let witness = try #require(found.first?.witness)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var trial = try PolicyTrial(policies, vocabulary: vocabulary, at: now)
    for readings in [witness.earlier, witness.readings] where !readings.isEmpty {
      for reading in readings {
        guard let fact = vocabulary.fact(reading.path) else { continue }
        trial.set(fact, reading.value, at: now)
      }
      now = now + .minutes(5)
      trial.advance(to: now)
    }
    // The wait between transitions grows from 1 ms to 1 min. So an oscillating state machine makes about
    // twenty transitions in five minutes.
    #expect(trial.moves > 15)
  }

  @Test(
    "a state machine without an oscillation gives no finding",
    arguments: [
      "state a { goto b when battery.level < 50 % } state b { goto a when battery.level > 60 % }",
      "state a { goto b when screen.on for 1 min } state b { goto a when not screen.on for 1 min }",
      "state a { goto b when screen.on for 1 min } state b { goto a when screen.on }",
      "state a { goto b when battery.level < 50 % for 1 min } state b { goto a when not screen.on for 2 min }",
      "state a { goto b when screen.on } state b { goto c when battery.level < 9 % } state c { goto a when not screen.on }",
      "state a { goto c when screen.on goto b when battery.level < 9 % } state b { goto a when screen.on } state c { }",
      "state a { goto b when screen.on } state b { }",
    ])
  func comesToRest(_ states: String) throws {
    #expect(try findings("machine m starts a { \(states) }").oscillating.isEmpty)
  }
}
