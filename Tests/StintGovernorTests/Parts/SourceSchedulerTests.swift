import StintMachine
import StintModel
import StintUnits
import Testing

@testable import StintGovernor

@Suite("The source scheduler, without a governor") struct SourceSchedulerTests {
  private static let vocabulary = Vocabulary(
    manifests: [
      Manifest(
        device: "test.gauge", kind: .source, title: "",
        facts: [
          FactSchema(
            path: "gauge.level", type: .quantity(.ratio), range: 0...1,
            reading: FactReading(every: .seconds(10)), device: "test.gauge")
        ])
    ],
    declared: [FactSchema(path: "switch.on", type: .boolean)])
  private let start = Instant(nanoseconds: 1_000_000_000_000)
  private let gauge = SourceSchedulerTests.vocabulary.fact("gauge.level") ?? -1
  private let toggle = SourceSchedulerTests.vocabulary.fact("switch.on") ?? -1
  private let facts = FactTable(count: SourceSchedulerTests.vocabulary.facts.count)

  private func needs(_ need: FactNeed, isMasked: Bool = false) -> FactNeeds {
    var needs = FactNeeds(count: Self.vocabulary.firstComputed)
    needs.needs[gauge] = need
    needs.needs[toggle] = .everything
    if isMasked { needs.masked = [gauge] }
    return needs
  }

  @Test("the next reading of a source is scheduled only while one of its facts is needed")
  func pace() {
    var effects: [Effect] = []
    var sources = SourceScheduler(Self.vocabulary)
    #expect(!sources.isEmpty && sources.nextReading(of: gauge) == nil)
    sources.plan(needs(.everything), facts, at: start, &effects)
    #expect(effects.isEmpty)
    #expect(sources.nextReading(of: gauge) == start)
    #expect(sources.nextTimer(beside: .distantFuture) == start)
    sources.plan(needs(.nothing), facts, at: start, &effects)
    #expect(sources.nextReading(of: gauge) == nil)
    #expect(sources.nextTimer(beside: start + .seconds(5)) == start + .seconds(5))
  }

  @Test("inputs that make an irrelevant fact relevant wait until the source of this fact answers")
  func waiting() {
    var effects: [Effect] = []
    var sources = SourceScheduler(Self.vocabulary)
    sources.plan(needs(.nothing, isMasked: true), facts, at: start, &effects)
    let now = start + .seconds(1)
    let first = [Input.fact(toggle, .boolean(true))]
    let held = sources.admit(first, isTimer: false, at: now, &effects)
    #expect(held == nil)
    #expect(effects == [.read(device: 0)])
    #expect(sources.nextTimer(beside: .distantFuture) == now + SourceScheduler.answerTimeout)
    let answer = [Input.fact(gauge, .number(0.5))]
    let admitted = sources.admit(answer, isTimer: false, at: now, &effects)
    #expect(admitted == first + answer)
    #expect(sources.mustPlan)
    #expect(effects.count == 1)
  }

  @Test("a source that does not answer delays inputs by at most 100 ms")
  func answerTimeout() {
    var effects: [Effect] = []
    var sources = SourceScheduler(Self.vocabulary)
    sources.plan(needs(.nothing, isMasked: true), facts, at: start, &effects)
    let first = [Input.fact(toggle, .boolean(true))]
    let none: [Input] = []
    var admitted = sources.admit(first, isTimer: false, at: start, &effects)
    #expect(admitted == nil)
    let end = start + SourceScheduler.answerTimeout
    admitted = sources.admit(none, isTimer: false, at: end - TimeSpan(nanoseconds: 1), &effects)
    #expect(admitted == nil)
    admitted = sources.admit(none, isTimer: false, at: end, &effects)
    #expect(admitted == first)
  }

  @Test("an input that cannot make an irrelevant fact relevant causes no reading of its source")
  func quiet() {
    var effects: [Effect] = []
    var sources = SourceScheduler(Self.vocabulary)
    var needs = needs(.nothing, isMasked: true)
    needs.needs[toggle] = .nothing
    sources.plan(needs, facts, at: start, &effects)
    let inputs = [Input.fact(toggle, .boolean(true))]
    var admitted = sources.admit(inputs, isTimer: false, at: start, &effects)
    #expect(admitted == inputs)
    #expect(effects.isEmpty && !sources.mustPlan)
    // A timer of the governor can make the fact relevant.
    let none: [Input] = []
    admitted = sources.admit(none, isTimer: true, at: start, &effects)
    #expect(admitted == nil)
    #expect(effects == [.read(device: 0)])
  }
}
