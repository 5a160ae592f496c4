import StintLanguage
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite struct ConflictTests {
  private let vocabulary = TrialDevices.vocabulary

  static let codes: Set<DiagnosticCode> = [
    .unreachable, .alwaysTrue, .overruled, .overruledAtTimes, .shadowed, .noEffect,
  ]

  private func check(_ body: String) throws -> (policies: [CheckedPolicy], found: [Finding]) {
    let checked = Checker.check([RandomConflict.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) in \(body)")
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
    return (checked.policies, found.filter { Self.codes.contains($0.diagnostic.code) })
  }

  @Test("F6: conflicts of two rules are found, and the facts in the finding make both rules active")
  func conflicts() throws {
    var always = 0
    let trials = Trials(2000)
    for seed in trials.rounds {
      let body = RandomConflict.fighting(seed: UInt64(seed))
      let (policies, found) = try check(body)
      let finding = found.first {
        $0.diagnostic.code == .overruled || $0.diagnostic.code == .overruledAtTimes
      }
      guard let finding, let witness = finding.witness else {
        Issue.record("nothing found in \(body)")
        continue
      }
      if finding.diagnostic.code == .overruled { always += 1 }
      let stage = try WitnessStage(policies, vocabulary: vocabulary, witness)
      #expect(stage.isActive("go") && stage.isActive("halt"), "\(witness) for \(body)")
    }
    #expect(always > trials.share(of: 30))
  }

  @Test("F6: policies without a conflict give no finding")
  func clean() throws {
    for seed in Trials(2000).rounds {
      let body = RandomConflict.peaceful(seed: UInt64(seed))
      let found = try check(body).found
      #expect(found.isEmpty, "\(found.map(\.diagnostic.title)) in \(body)")
    }
  }

  @Test(
    "the analysis decides exactly whether two conditions exclude each other, overlap, or imply each other",
    arguments: [
      // A condition that has been true for 5 min is also true now, so the stop always overrides the start.
      ("battery.level < 20 % for 5 min", "battery.level < 20 %", "W0304"),
      ("battery.level < 20 % for 5 min", "battery.level < 20 % for 2 min", "W0304"),
      ("battery.level < 20 % for 2 min", "battery.level < 20 % for 5 min", "W0305"),
      ("screen.on", "screen.on in last 5 min", "W0304"),
      ("screen.on in last 1 min", "screen.on in last 5 min", "W0304"),
      ("screen.on in last 5 min", "screen.on", "W0305"),
      ("not screen.on", "screen.on in last 5 min", "W0305"),
      ("battery.level < 20 %", "battery.level below 20 % release 25 %", "W0304"),
      ("battery.level > 22 %", "battery.level below 20 % release 25 %", "W0305"),
      ("battery.level > 25 %", "battery.level below 20 % release 25 %", "-"),
      ("battery.level below 20 % release 25 %", "battery.level < 25 %", "W0305"),
      ("not (screen.on for 5 min)", "screen.on", "W0305"),
      ("not screen.on", "screen.on for 5 min", "-"),
      ("screen.on and not (screen.on in last 1 h)", "always", "W0302"),
      // An unknown value is on neither side of a limit.
      ("not known(battery.level)", "battery.level < 20 % or battery.level >= 20 %", "-"),
      ("known(battery.level)", "battery.level < 20 % or battery.level >= 20 %", "W0304"),
      ("not known(place.accuracy)", "not known(place.accuracy) or place.accuracy > 5 m", "W0304"),
      // Schedules.
      ("time in night", "not time in weekend", "W0305"),
      ("time in weekend for 5 h", "time in night", "W0305"),
      ("time in night for 9 h", "screen.on", "-"),
      // Ages of facts, and states of devices.
      ("age(motion.activity) > 10 min", "motion.activity is still", "W0305"),
      ("age(place.accuracy) > 10 min", "known(place.accuracy)", "-"),
      ("gps.on", "gps.state is off", "-"),
      ("gps.on", "gps.state is search", "W0305"),
    ])
  func exactRelations(_ go: String, _ halt: String, _ code: String) throws {
    let trigger = halt == "always" ? halt : "while \(halt)"
    let body =
      "rule go while \(go) { start gps for \"map\" }\nrule halt \(trigger) { stop gps except \"sos\" }"
    let checked = Checker.check([RandomConflict.source(body)], vocabulary: vocabulary)
    try #require(
      !checked.diagnostics.contains { $0.severity == .error }, "\(checked.diagnostics.map(\.title))")
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
      .filter { Self.codes.contains($0.diagnostic.code) }
    #expect(found.first?.diagnostic.code.name ?? "-" == code, "\(found.map(\.diagnostic.title))")
    guard let witness = found.first?.witness else { return }
    let stage = try WitnessStage(checked.policies, vocabulary: vocabulary, witness)
    #expect(stage.isActive("go") && stage.isActive("halt"), "\(witness)")
  }

  @Test(
    "a rule that has no effect gives a warning if its own policy is the reason, and otherwise a note"
  )
  func shadows() throws {
    let low = "rule low while battery.level < 20 % { pause location.gnss }"
    let most = "rule most while battery.level < 30 % { stop location.gnss }"
    for (texts, severity) in [([low + "\n" + most], Diagnostic.Severity.warning), ([low, most], .note)] {
      let sources = texts.enumerated().map { number, text in
        SourceText(file: "\(number).stint", text: "policy \"p\(number)\"\n\(text)\n")
      }
      let checked = Checker.check(sources, vocabulary: vocabulary)
      let found = Analysis.run(checked.policies, vocabulary: vocabulary).filter {
        $0.diagnostic.code == .shadowed
      }
      #expect(found.map(\.diagnostic.severity) == [severity])
    }
  }

  @Test(
    "a rule has no effect only if its condition, with limit and span, implies the other rule's condition",
    arguments: [
      ("location.gnss.accuracy > 60 m for 5 min", "location.gnss.accuracy > 50 m for 2 min", true),
      ("location.gnss.accuracy > 50 m for 5 min", "location.gnss.accuracy > 60 m for 2 min", false),
      ("location.gnss.accuracy > 60 m for 1 min", "location.gnss.accuracy > 50 m for 2 min", false),
      ("battery.level < 10 % in last 2 min", "battery.level < 20 % in last 5 min", true),
      ("battery.level < 10 % in last 5 min", "battery.level < 20 % in last 2 min", false),
      ("battery.level < 20 % in last 2 min", "battery.level < 10 % in last 5 min", false),
    ])
  func waits(first: String, other: String, isShadowed: Bool) throws {
    let found = try check(
      """
      rule narrow while \(first) { downgrade location.gnss to 100 m }
      rule wide while \(other) { downgrade location.gnss to 100 m }
      """
    ).found.filter { $0.diagnostic.code == .shadowed }
    #expect(found.map(\.diagnostic.labels[0].text) == (isShadowed ? ["no effect"] : []))
  }

  @Test("the `max_age` of a device in a policy determines how old a fact in a finding can be")
  func ages() throws {
    let text = """
      policy "p"
      default location.wifi { max_age 1 h }
      rule go while age(location.wifi.accuracy) > 10 min { start location.gnss }
      rule halt while known(location.wifi.accuracy) { stop location.gnss }
      """
    let checked = Checker.check([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
    let witness = try #require(found.first { $0.diagnostic.code == .overruledAtTimes }?.witness)
    #expect(witness.held > .minutes(10) && witness.silent == ["location.wifi.accuracy"])
    let stage = try WitnessStage(checked.policies, vocabulary: vocabulary, witness)
    #expect(stage.isActive("go") && stage.isActive("halt"))
  }
}
