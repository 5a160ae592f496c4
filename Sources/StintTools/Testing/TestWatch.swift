import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Inspects a governor at each instant of a test, and decides whether the expectations are met.
struct TestWatch {
  private let test: CheckedTest
  private let image: Image
  private let vocabulary: Vocabulary
  /// The index of the rule of the first expectation.
  private let firstExpectation: Int
  /// The indexes of the rules of watched conditions.
  private let watched: Range<Int>
  private var truths: [TestOutcome.Truths]
  private var rulesInForce: Set<RuleID> = []
  /// The indexes of the rules that are in force now.
  private var activeRules: Set<Int> = []
  private var values: [String: FactValue] = [:]
  private var log: [(at: TimeSpan, subject: String?, text: String)] = []
  private var verdicts: [Verdict]
  private var misses: [TestOutcome.FailedExpectation] = []

  /// The current result of an expectation.
  private struct Verdict {
    var isMet = false
    var wasTrue = false
    var isUnknown = false
    var inForce: [RuleID] = []
    var isJudged = false
  }

  init(_ test: CheckedTest, rules: Int, watched: Range<Int>, image: Image, vocabulary: Vocabulary) {
    self.test = test
    self.image = image
    self.vocabulary = vocabulary
    self.watched = watched
    firstExpectation = rules
    truths = Array(repeating: TestOutcome.Truths(), count: watched.count)
    verdicts = Array(repeating: Verdict(), count: test.expectations.count)
  }

  mutating func check(_ governor: Governor, at time: TimeSpan) {
    guard let machine = governor.machine else { return }
    noteRules(governor, at: time)
    noteFacts(governor, at: time)
    for (place, rule) in watched.enumerated() {
      for truth in governor.truths(of: rule) {
        switch truth {
        case .yes: truths[place].wasTrue = true
        case .no: truths[place].wasFalse = true
        case .unknown: continue
        }
      }
    }
    for (place, expectation) in test.expectations.enumerated()
    where expectation.from <= time && time <= expectation.until {
      let truth = machine.truth(of: firstExpectation + place)
      let isInstant = expectation.from == expectation.until
      if isInstant { verdicts[place] = Verdict() }
      verdicts[place].isUnknown = truth == .unknown
      guard truth == .yes, !verdicts[place].isMet else { continue }
      verdicts[place].wasTrue = true
      verdicts[place].inForce = rules(behind: expectation, in: governor)
      verdicts[place].isMet =
        expectation.because.map { cause in verdicts[place].inForce.contains { $0.isPart(of: cause) } } ?? true
    }
  }

  /// Returns the rules that affect the grants in the expectation's condition. For a condition without grants,
  /// returns the rules with a directive in force on a device of the condition, except overridden rules. For a
  /// condition without devices, returns all rules in force.
  private func rules(
    behind expectation: CheckedTest.Expectation, in governor: Governor
  ) -> [RuleID] {
    let grants = expectation.condition.facts.compactMap { vocabulary.fact($0) }.compactMap { fact in
      guard fact >= vocabulary.firstComputed,
        case .grant(let grant) = vocabulary.computed[fact - vocabulary.firstComputed].source
      else { return nil as GrantFact? }
      return grant
    }
    guard grants.isEmpty else {
      return Set(grants.flatMap { governor.grant(of: $0.client, on: $0.device)?.rules ?? [] }).sorted()
    }
    let devices = expectation.condition.devices(in: vocabulary)
    guard !devices.isEmpty else {
      return (0..<firstExpectation).filter { governor.isActive(rule: $0) }.map { image.rules[$0].id }
    }
    let directives = devices.flatMap { governor.status(of: $0)?.directives ?? [] }
    return Set(directives.filter { $0.isInForce && !$0.isOverridden }.map(\.directive.rule)).sorted()
  }

  // MARK: Events

  private mutating func noteRules(_ governor: Governor, at time: TimeSpan) {
    for rule in 0..<firstExpectation {
      let isInForce = governor.isActive(rule: rule)
      guard isInForce != activeRules.contains(rule) else { continue }
      if isInForce { activeRules.insert(rule) } else { activeRules.remove(rule) }
      let id = image.rules[rule].id
      rulesInForce.insert(id)
      log.append((time, nil, "rule \(id) \(isInForce ? "comes into force" : "ends")"))
    }
  }

  /// Records the rules that acted. Transitions of state machines and `when` and `every` rules without
  /// directives act within one step, so the watch never finds them in force.
  mutating func noteActs(_ governor: Governor) {
    let use = governor.ruleUse(at: governor.now)
    for rule in image.rules[..<firstExpectation] where use[rule.id]?.count ?? 0 > 0 {
      rulesInForce.insert(rule.id)
    }
  }

  private mutating func noteFacts(_ governor: Governor, at time: TimeSpan) {
    for path in Set(test.expectations.flatMap(\.condition.facts)).sorted() {
      guard let fact = vocabulary.fact(path) else { continue }
      let value = governor.value(of: fact, at: governor.now)
      guard values[path] != value else { continue }
      values[path] = value
      log.append((time, path, "\(path) = \(vocabulary.facts[fact].text(of: value))"))
    }
  }

  // MARK: Results

  mutating func judge(at time: TimeSpan) {
    for (place, expectation) in test.expectations.enumerated()
    where expectation.until == time && !verdicts[place].isJudged {
      verdicts[place].isJudged = true
      let verdict = verdicts[place]
      guard !verdict.isMet else { continue }
      let failure: TestOutcome.Failure =
        if verdict.wasTrue, let cause = expectation.because {
          .notBecause(cause, inForce: verdict.inForce)
        } else {
          .notTrue(isUnknown: verdict.isUnknown)
        }
      misses.append(
        TestOutcome.FailedExpectation(
          expectation: expectation, failure: failure, timeline: timeline(of: expectation)))
    }
  }

  /// Returns the last events that are relevant to an expectation, at most thirty.
  private func timeline(of expectation: CheckedTest.Expectation) -> [TestOutcome.Entry] {
    let paths = Set(expectation.condition.facts)
    return log.filter { $0.subject.map { paths.contains($0) } ?? true }.suffix(30).map {
      TestOutcome.Entry(at: $0.at, text: $0.text)
    }
  }

  func outcome(violations: [(at: TimeSpan, text: String)], refusals: [String]) -> TestOutcome {
    TestOutcome(
      test: test, misses: misses,
      violations: violations.map { TestOutcome.Entry(at: $0.at, text: $0.text) },
      refusals: refusals, rulesInForce: rulesInForce, truths: truths)
  }
}

extension CheckedExpression {
  /// Returns the devices whose facts the expression reads, sorted. Devices without verbs only publish facts,
  /// so they are excluded.
  func devices(in vocabulary: Vocabulary) -> [DeviceID] {
    let published = facts.compactMap { vocabulary.schema($0)?.device }
    return Set(published).filter { vocabulary.manifest($0)?.verbs.isEmpty == false }.sorted()
  }
}
