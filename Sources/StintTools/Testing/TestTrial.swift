import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintPluginHost
import StintRuntime
import StintSimulation
import StintUnits

/// One run of a test on the simulated phone in virtual time.
struct TestTrial {
  let policies: [CheckedPolicy]
  let test: CheckedTest
  /// Conditions whose values are recorded for coverage.
  var watched: [CheckedExpression] = []

  private let vocabulary: Vocabulary
  private let calendar: TestCalendar
  private let circumstances: TestCircumstances
  private let program: Program
  /// The index in the image of the first rule that evaluates an expectation.
  private let firstExpectation: Int
  /// The index in the image of the first rule that evaluates a watched condition.
  private let firstWatched: Int

  init(
    policies: [CheckedPolicy], test: CheckedTest, watched: [CheckedExpression] = [], vocabulary: Vocabulary,
    calendar: TestCalendar, circumstances: TestCircumstances
  ) throws(Problem) {
    self.policies = policies
    self.test = test
    self.watched = watched
    self.calendar = calendar
    self.circumstances = circumstances
    let all = policies + [Self.conditionPolicy(test, watched, of: policies)]
    let image = try ImageVerifier.verify(Compiler.compile(all, vocabulary: vocabulary))
    program = Program(
      image: image,
      defaults: Compiler.defaults(of: policies, vocabulary: vocabulary),
      computed: policies.flatMap(\.computed), moves: policies.flatMap(\.moves),
      perDemandImage: try Compiler.compileForDemands(all, vocabulary: vocabulary)
        .map(ImageVerifier.verify))
    self.vocabulary = vocabulary
    firstExpectation = policies.reduce(0) { $0 + $1.rules.count }
    firstWatched = firstExpectation + test.expectations.count
  }

  /// Returns a policy that only evaluates conditions: a rule without directives for each expectation and
  /// watched condition.
  private static func conditionPolicy(
    _ test: CheckedTest, _ watched: [CheckedExpression], of policies: [CheckedPolicy]
  ) -> CheckedPolicy {
    var conditionPolicy = CheckedPolicy(name: "test of \(test.policy)", version: 1, file: "")
    conditionPolicy.schedules = policies.first { $0.name == test.policy }?.schedules ?? []
    // Conditions that read `client.*` are evaluated once per demand.
    let ofClients = Set(policies.flatMap(\.computed).filter(\.isOfClient).map(\.schema.path))
    let conditions = test.expectations.map(\.condition) + watched
    conditionPolicy.rules = conditions.enumerated().map { number, condition in
      var rule = CheckedRule(
        id: RuleID(policy: conditionPolicy.name, rule: "\(number)"), span: condition.span,
        trigger: .whilst(condition))
      rule.isPerDemand = !ofClients.isEmpty && condition.facts.contains { ofClients.contains($0) }
      return rule
    }
    return conditionPolicy
  }

  /// Runs the test on its own loop, on the calling thread.
  func run() throws -> TestOutcome {
    let loop = try LoopExecutor()
    let trial = self
    return try Spawner.run(on: loop) { try await trial.drive() }.get()
  }

  private func drive() async throws -> TestOutcome {
    let start = calendar.start
    var scenario = TestWorld.scenario(of: test, start: start)
    scenario.values = circumstances.values
    scenario.faults = circumstances.faults
    let meter = EnergyMeter()
    let phone = ReferencePhone(scenario, seed: 1, meter: meter)
    let plugins = try PluginSet(phone.plugins(for: vocabulary.manifests))
    var maxAges: [DeviceID: TimeSpan] = [:]
    for item in policies.flatMap(\.defaults) { if let age = item.maxAge { maxAges[item.device] = age } }
    let script = TestScript(
      test, start: start, vocabulary: vocabulary.naming(program.computed), maxAges: maxAges)
    let observer = TestObserver()
    let host = Host(
      governor: Governor(vocabulary: vocabulary, timeZone: calendar.timeZone, at: start), plugins: plugins,
      source: script, observer: observer,
      filter: FaultFilter(scenario.faults, manifests: plugins.manifests, start: start, seed: 1) { _ in })
    await host.open()
    try await host.load(program, policies: [], at: start)
    var watch = TestWatch(
      test, rules: firstExpectation, watched: firstWatched..<(firstWatched + watched.count),
      image: program.image.image, vocabulary: vocabulary.computing(program.computed))
    for moment in moments {
      let instant = start + moment
      while await host.nextEvent <= instant {
        let next = await host.nextEvent
        await host.run(until: next)
        watch.check(await host.snapshot, at: next - start)
      }
      await host.run(until: instant)
      if test.events.contains(where: { $0.kind == .reload && $0.at == moment }) {
        try await host.load(program, policies: [], at: instant)
      }
      watch.check(await host.snapshot, at: moment)
      watch.judge(at: moment)
    }
    watch.noteActs(await host.snapshot)
    return watch.outcome(
      violations: observer.violations.map { (at: $0.at - start, text: $0.text) }, refusals: observer.refusals)
  }

  /// All times of events and expectations, in ascending order.
  private var moments: [TimeSpan] {
    Set(test.events.map(\.at) + test.expectations.flatMap { [$0.from, $0.until] }).sorted()
  }
}
