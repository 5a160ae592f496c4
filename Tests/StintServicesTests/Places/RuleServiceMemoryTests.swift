import StintModel
import StintServices
import StintUnits
import Testing

/// The state of rules' services across a restart. After the restart, the rules start the services again.
@Suite("Saved state of the services of rules") struct RuleServiceMemoryTests {
  private static let rule = RuleID(policy: "diary", rule: "watching")
  private static let visits = RuleService(.visits, on: PlacesBench.wifi, rule: rule)
  private static let moves = RuleService(.moves, on: PlacesBench.wifi, rule: rule)

  /// Returns a `PlacesBench` whose host is repeatedly at home for an hour and away for an hour. The fifth
  /// stay at home lasts two and a half minutes.
  private func regular() -> PlacesBench {
    var bench = PlacesBench { second in
      second.truncatingRemainder(dividingBy: 7200) < 3600 ? (0, 0, 60) : (second, 0, 60)
    }
    for stay in 0..<5 {
      let begin = Double(stay) * 7200
      bench.activities += [
        (begin, "still"), (begin + (stay == 4 ? 150 : 3600), "automotive"),
      ]
    }
    return bench
  }

  private func arrivals(_ bench: PlacesBench) -> [Double] {
    bench.signals.filter { $0.signal == .visitArrived }.map(\.second)
  }

  /// The order in which the rule and the saved state arrive after a restart. With `ruleLate`, a second
  /// restart comes before the rule.
  enum Order: CaseIterable { case ruleFirst, memoryFirst, ruleLate }

  @Test("R05: the known places of a rule's visit monitoring survive a restart", arguments: Order.allCases)
  func places(order: Order) throws {
    var bench = regular()
    bench.serve(.startRuleService(Self.visits))
    bench.run(to: 26_000)
    #expect(arrivals(bench) == [300, 7500, 14_700, 21_720])
    switch order {
    case .ruleFirst: try bench.restart(.startRuleService(Self.visits))
    case .memoryFirst:
      try bench.restart()
      bench.serve(.startRuleService(Self.visits))
    case .ruleLate:
      try bench.restart()
      bench.run(to: 28_000)
      try bench.restart()
      bench.serve(.startRuleService(Self.visits))
    }
    bench.run(to: 36_000)
    // At a known place, a stay of two minutes is a visit.
    #expect(arrivals(bench).dropFirst(4) == [28_800 + 120])
  }

  @Test("R05: without the saved state a stay of two and a half minutes is not a visit")
  func unkept() {
    var bench = regular()
    bench.run(to: 26_000)
    bench.serve(.startRuleService(Self.visits))
    bench.run(to: 36_000)
    #expect(arrivals(bench).isEmpty)
  }

  @Test(
    "R05: after a restart only the departure of an open visit is reported", arguments: [false, true])
  func openVisit(isQuick: Bool) throws {
    var bench = regular()
    bench.serve(.startRuleService(Self.visits))
    bench.run(to: 1000)
    if isQuick {
      try bench.restart(.startRuleService(Self.visits))
    } else {
      try bench.restart()
      bench.serve(.startRuleService(Self.visits))
    }
    bench.run(to: 7000)
    #expect(arrivals(bench) == [300])
    #expect(bench.signals.map(\.signal) == [.visitArrived, .visitDeparted])
    #expect(bench.targets.allSatisfy { $0 == "motion.accelerometer" })
  }

  @Test("R11: a rule's moves service continues from its last reported position")
  func movesGoOn() throws {
    var bench = PlacesBench { second in second < 5000 ? (0, 0, 60) : (3000, 0, 60) }
    bench.serve(.startRuleService(Self.moves))
    bench.run(to: 2000)
    try bench.restart()
    bench.serve(.startRuleService(Self.moves))
    bench.run(to: 20_000)
    #expect(bench.signals.map(\.signal) == [.movesChanged])
  }

  @Test(
    "the saved state of a rule's service is deleted when its rule ends the service or is absent for a week")
  func forgotten() throws {
    var ended = regular()
    ended.serve(.startRuleService(Self.visits))
    ended.run(to: 26_000)
    ended.serve(.endRuleService(Self.visits))
    try ended.restart()
    ended.serve(.startRuleService(Self.visits))
    ended.run(to: 36_000)
    #expect(arrivals(ended).count == 4)

    var old = regular()
    old.serve(.startRuleService(Self.visits))
    old.run(to: 26_000)
    try old.restart()
    #expect(try SavedText.text(of: old.board.saved).contains(#""kind":"visits""#))
    old.run(to: 26_000 + 8 * 86_400)
    try old.restart()
    #expect(try SavedText.text(of: old.board.saved).contains(#""services_of_rules":[]"#))
  }

  @Test(
    "damaged state of rules' services stops neither the board nor the rule's service",
    arguments: [
      #""kind":"visits""#, #""kind":"visits","state":{"receivers":[],"tracker":{"known":"x"}}"#,
      #""kind":"moves","state":{"request":{"max_age":"1 s","pausing":true}}"#, #""kind":"steps","state":1"#,
    ])
  func damaged(state: String) throws {
    var bench = regular()
    let entry = #"{"client":"diary","name":"visits on location.wifi for diary/watching",\#(state)}"#
    let text =
      #"{"clients":[],"services":[],"services_of_rules":[\#(entry)],"notices":[],"launches":[]}"#
    bench.serve(.restore(try SavedText.value(SavedServices.self, text)))
    bench.serve(.startRuleService(Self.visits))
    bench.run(to: 1000)
    #expect(arrivals(bench) == [300])
  }
}
