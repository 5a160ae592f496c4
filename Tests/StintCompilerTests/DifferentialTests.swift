import StintLanguage
import StintMachine
import StintModel
import StintTestSupport
import StintUnits
import Testing

@Suite("Rule VM and reference evaluation")
struct DifferentialTests {
  private static let schedules = [
    CheckedSchedule(
      name: "one",
      windows: [CheckedSchedule.Window(days: [], from: .seconds(5), to: .seconds(12))]),
    CheckedSchedule(
      name: "two",
      windows: [
        CheckedSchedule.Window(days: [3], from: .seconds(20), to: .seconds(3)),
        CheckedSchedule.Window(days: [2], from: .seconds(50), to: .seconds(8)),
      ]),
  ]

  @Test(
    "random conditions have the same values in the rule VM and in the reference evaluator",
    arguments: Trials(4_000).rounds)
  func agrees(seed: Int) throws {
    var generator = SplitMix(seed: UInt64(seed))
    var expressions = RandomExpressions(generator: SplitMix(seed: UInt64(seed) &+ 1 << 32))
    let conditions = (0..<3).map { _ in expressions.condition(depth: 3) }
    let story = Story(using: &generator)
    let vocabulary = RuleVMBench.vocabulary(maxAge: .seconds(4))
    let reference = Reference(story: story, vocabulary: vocabulary, schedules: Self.schedules)
    let expected = conditions.map { reference.series($0) }
    var probe = try RuleVMBench(
      conditions.enumerated().map { rule("r\($0)", .whilst($1), [stop(rule: "r\($0)")]) },
      schedules: Self.schedules, vocabulary: vocabulary)
    for (moment, instant) in Story.moments.enumerated() {
      if let second = Story.second(of: moment) {
        probe.now = instant
        for event in story.events[second] { probe.tell(event) }
        probe.settle()
      } else if let timer = probe.machine.nextTimer, timer <= instant {
        #expect(timer == instant, "a timer is at an instant where no change is possible")
        probe.now = instant
        probe.settle()
      }
      for rule in conditions.indices {
        let isTrue = expected[rule][moment] == .boolean(true)
        let truth = probe.machine.truth(of: rule)
        let isRight =
          truth == (isTrue ? .yes : expected[rule][moment] == .unknown ? .unknown : .no)
          && probe.machine.isInForce(directive: rule) == isTrue
        guard !isRight else { continue }
        Issue.record("seed \(seed), \(instant.nanoseconds) ns: \(truth), not \(expected[rule][moment])")
        return
      }
    }
  }
}

extension RuleVMBench {
  mutating func tell(_ event: Story.Event) {
    switch event {
    case .fact(let path, let value): set(path, value)
    case .demanded(let isDemanded): machine.setDemanded("gps", isDemanded)
    }
  }
}
