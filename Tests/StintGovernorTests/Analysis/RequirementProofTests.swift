import StintCompiler
import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Proofs of requirements") struct RequirementProofTests {
  private let vocabulary = TrialDevices.vocabulary

  private func judged(_ body: String) throws -> [CheckedPolicy] {
    let checked = Checker.check([RandomRequirement.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title)) in \(body)")
    return RequirementVerification.verified(checked.policies, vocabulary: vocabulary)
  }

  private static func text(_ verdict: CheckedRequirement.Verdict, _ vocabulary: Vocabulary) -> String {
    switch verdict {
    case .open: "open"
    case .proved(let reason, let outside): "proved: \(reason)" + (outside.map { ", if \($0)" } ?? "")
    case .refuted(let witness): "refuted: \(witness.text(vocabulary))"
    case .watched(let reason): "watched: \(reason)"
    }
  }

  @Test(
    "a requirement is proved, refuted with a counterexample, or watched for a stated reason",
    arguments: [
      (
        "require gps.on implies demanded(gps)",
        "proved: location.gnss is on only for a demand, if location.gnss follows its setting"
      ),
      ("require battery.level <= 100 %", "proved: no value of battery.level from 0 % to 100 % breaks it"),
      ("require screen.on or not screen.on", "proved: no values of its facts break it"),
      (
        "require wakeups(gps) <= 2 per h\nrule r always { start gps for \"map\" }",
        "proved: location.gnss wakes at most once in an hour, if clients keep their demands"
      ),
      ("require not gps.on", "refuted: location.gnss demanded"),
      (
        "require gps.on implies battery.level >= 20 %\nrule r while battery.level < 10 % { stop gps }",
        "refuted: battery.level = 10 %, location.gnss demanded"
      ),
      (
        "require screen.on implies gps.on\nrule r while battery.level < 10 % { stop gps }",
        "refuted: screen.on = true, location.gnss not demanded"
      ),
      (
        "require gps.on implies battery.level >= 20 %\nrule r while battery.level < 20 % { stop gps }",
        "watched: constant facts do not break it, but a change may, for example when a device turns off between two samples"
      ),
      (
        "require battery.level > 3 %",
        "watched: it depends only on facts and clients, not on the rules; counterexample: battery.level = 1.5 %"
      ),
      (
        "require wakeups(gps) <= 20 per h\nrule r while screen.on { stop gps }",
        "watched: the wake-up bound of location.gnss is 721 per hour"
      ),
      (
        "require t < 50 %\nbudget t = 10 J per day on gps { at 80 % { stop gps } }",
        "watched: planted/t rises with time"
      ),
    ])
  func verdicts(_ body: String, _ expected: String) throws {
    let verdict = try #require(try judged(body).first?.requirements.first?.verdict)
    #expect(Self.text(verdict, vocabulary) == expected)
  }

  @Test("a refuted requirement is an error, and its finding contains the facts of a counterexample")
  func broken() throws {
    let body = "require gps.on implies screen.on"
    let checked = Checker.check([RandomRequirement.source(body)], vocabulary: vocabulary)
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
      .filter { $0.diagnostic.code == .brokenRequirement }
    #expect(found.map(\.diagnostic.severity) == [.error])
    #expect(found.first?.witness != nil)
  }

  @Test("a requirement is watched at run time unless its proof needs no assumption on devices and clients")
  func watching() throws {
    let body =
      "require battery.level <= 100 %\nrequire gps.on implies demanded(gps)\nrequire battery.level > 3 %"
    let image = Compiler.compile(try judged(body), vocabulary: vocabulary)
    #expect(image.rules.map(\.id.rule) == ["require-2", "require-3"])
  }

  @Test("random inputs never violate a proved requirement; a counterexample violates a refuted requirement")
  func random() throws {
    var counts = (proved: 0, refuted: 0, watched: 0, brokenWatched: 0)
    let trials = Trials(2400)
    for seed in trials.rounds {
      var maker = RandomRequirement(seed: UInt64(seed))
      let body = maker.policy()
      let policies = try judged(body)
      var random = SeededGenerator(seed: UInt64(seed))
      switch try #require(policies[0].requirements.first?.verdict) {
      case .open: Issue.record("no verdict for \(body)")
      case .proved(let reason, let outside):
        counts.proved += 1
        // The proof assumes that clients keep their demands, but the random clients end demands.
        if outside?.contains("clients") == true { continue }
        let broken = try RequirementRun.violations(policies, vocabulary, changes: 150, &random)
        #expect(broken == 0, "\(reason): \(body)")
      case .refuted(let witness):
        counts.refuted += 1
        #expect(try RequirementRun.isBroken(policies, by: witness, vocabulary), "\(witness) for \(body)")
      case .watched:
        counts.watched += 1
        let broken = try RequirementRun.violations(policies, vocabulary, changes: 60, &random)
        if broken > 0 { counts.brokenWatched += 1 }
      }
    }
    #expect(
      counts.proved > trials.share(of: 200) && counts.refuted > trials.share(of: 400)
        && counts.watched > trials.share(of: 200) && counts.brokenWatched >= trials.share(of: 50) / 2,
      "\(counts)")
  }

  @Test("a requirement on facts is proved exactly when no values of these facts violate it")
  func exhaustive() throws {
    var proved = 0
    let trials = Trials(1200, fewest: 24)
    for seed in trials.rounds {
      var maker = RandomRequirement(seed: UInt64(seed) + 9000)
      let condition = maker.condition(3)
      let isProved: Bool
      switch try #require(try judged("require \(condition)").first?.requirements.first?.verdict) {
      case .proved(_, assuming: nil): isProved = true
      default: isProved = false
      }
      #expect(isProved == (try !isEverFalse(condition)), "\(condition)")
      if isProved { proved += 1 }
    }
    #expect(proved > trials.share(of: 50) / 2 && proved < trials.share(of: 1150))
  }

  /// Returns whether any combination of values makes the condition false, with values on each side of every
  /// limit.
  private func isEverFalse(_ condition: String) throws -> Bool {
    let body = "rule broken while not (\(condition)) { downgrade gps to 100 m }"
    let checked = Checker.check([RandomRequirement.source(body)], vocabulary: vocabulary)
    let image = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
    let levels: [FactValue] = [0, 0.19, 0.2, 0.3, 0.4, 0.41, 1].map { .number($0) } + [.unknown]
    let truths: [FactValue] = [.boolean(true), .boolean(false), .unknown]
    let states: [FactValue] = [.symbol(0), .symbol(1), .unknown]
    for level in levels {
      for screen in truths {
        for state in states {
          var machine = RuleVM(image: image, timeZone: .utc, at: .epoch)
          for (path, value) in [("battery.level", level), ("screen.on", screen), ("app.state", state)] {
            machine.set(fact: try #require(vocabulary.fact(path)), value, at: .epoch)
          }
          _ = machine.propagate(at: .epoch)
          if machine.isActive(rule: 0) { return true }
        }
      }
    }
    return false
  }
}
