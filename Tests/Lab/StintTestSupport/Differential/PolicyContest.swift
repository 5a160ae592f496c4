import StintCompiler
import StintGovernor
import StintLanguage
import StintMachine
import StintModel
import StintUnits

/// Runs random policies on a random story in the governor and in the reference evaluator, and compares the
/// decisions.
public struct PolicyContest {
  /// The seed that determines policies and story.
  public let seed: UInt64
  /// The source texts of the policies.
  public let texts: [String]
  /// The first difference; nil when there is no difference.
  public private(set) var mismatch: String?
  /// The constructs that the policies contain, and the events that occurred.
  public private(set) var coverage = PolicyCoverage()

  private let world: PlanWorld
  private let story: PlanStory
  private let policies: [PlanPolicy]
  private var reference: PolicyReference
  private var governor: Governor
  private let program: Program
  private var log: [String] = []
  private var comparedLines = 0
  private var nextDemand: Int64 = 1
  /// The open demands, in the order in which they were raised.
  private var activeDemands: [(id: Int64, client: String)] = []
  private var steps = 0
  /// The number of steps that follow the previous step within one millisecond.
  private var quickSteps = 0
  private let maxQuickSteps: Int

  /// The reason why a contest could not begin.
  public struct Broken: Error, CustomStringConvertible {
    /// The reason, with the texts of the policies.
    public var description: String
  }

  /// Makes the policies and the story of a seed.
  ///
  /// - Parameters:
  ///   - seed: determines the policies and the story.
  ///   - moments: the duration of the story, in units of its world.
  ///   - maxQuickSteps: the story ends after this number of steps that follow the previous step within a
  ///     millisecond. State machines that oscillate have then been compared often enough.
  /// - Throws: `Broken` when the generated policies have errors, which is a bug of the generator.
  public init(seed: UInt64, moments length: Int = 40, maxQuickSteps: Int = maxSteps) throws(Broken) {
    self.seed = seed
    self.maxQuickSteps = maxQuickSteps
    var generator = SeededGenerator(seed: seed)
    world = PlanWorld(unit: generator.pick([.seconds(1), .seconds(1), .minutes(1), .minutes(10)]))
    // The story begins near midnight, near four o'clock, or at any time.
    let minute = generator.pick([1435, 1439, 239, 230, Int.random(in: 0..<1440, using: &generator)])
    let day = Int64.random(in: 20_000...20_006, using: &generator)
    let offset = TimeSpan.minutes(generator.pick([0, 60, -330]))
    let local = day * 86_400 + Int64(minute) * 60 + Int64(world.unit == .seconds(1) ? 40 : 0)
    let start = Instant(nanoseconds: local * 1_000_000_000 - offset.nanoseconds)
    let minutes = Int(world.span(length).nanoseconds / 60_000_000_000)
    var plans = PlanGenerator(
      generator: SeededGenerator(seed: seed ^ 0x5eed), world: world, firstMinute: minute, minutes: minutes)
    policies = plans.policies()
    story = PlanStory(world, start: start, utcOffset: offset, length: length, using: &generator)
    let world = world
    texts = policies.map { $0.text(world) }
    let vocabulary = world.vocabulary
    program = try Self.program(texts, vocabulary)
    governor = Governor(vocabulary: vocabulary, timeZone: TimeZoneRules(base: offset), at: start)
    reference = PolicyReference(policies, in: world, story: story)
    coverage.note(policies)
  }

  static func program(_ texts: [String], _ vocabulary: Vocabulary) throws(Broken) -> Program {
    let sources = texts.enumerated().map { SourceText(file: "p\($0).stint", text: $1) }
    let checked = Checker.check(sources, vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    guard errors.isEmpty else {
      let messages = errors.map { "\($0.code) \($0.title)" }.joined(separator: "; ")
      throw Broken(description: "\(messages)\n\(texts.joined(separator: "\n"))")
    }
    let image: VerifiedImage
    do {
      image = try ImageVerifier.verify(Compiler.compile(checked.policies, vocabulary: vocabulary))
    } catch {
      throw Broken(description: "the verifier rejects the image: \(error)\n\(texts.joined(separator: "\n"))")
    }
    let defaults = checked.policies.flatMap(\.defaults).map {
      $0.inForce
    }
    return Program(
      image: image, defaults: defaults, computed: checked.policies.flatMap(\.computed),
      moves: checked.policies.flatMap(\.moves))
  }

  // MARK: Running

  /// Runs the story until it ends or a decision differs.
  public mutating func run() {
    load()
    compare()
    for (moment, events) in story.events.enumerated() where mismatch == nil && !isOver {
      pass(to: story.start + world.span(moment))
      for event in events where mismatch == nil && !isOver {
        happen(event)
        compare()
      }
    }
    coverage.note(log: log, rules: reference.rules)
  }

  private mutating func load() {
    do throws(Problem) {
      perform(try governor.load(program, at: governor.now).effects)
    } catch {
      preconditionFailure("cannot activate policies compiled for this world: \(error)")
    }
  }

  /// Advances time. The reference takes a step 1 ns before each timer of the governor, at the timer, and at
  /// the end.
  private mutating func pass(to end: Instant) {
    while governor.nextTimer <= end, mismatch == nil {
      let timer = max(governor.nextTimer, governor.now)
      steps += 1
      if timer - governor.now <= TimeSpan.milliseconds(1) { quickSteps += 1 }
      guard !isOver else { return }
      if timer.nanoseconds - 1 > reference.page.time {
        reference.step(at: timer.nanoseconds - 1, isWake: false) { _ in }
        compare()
      }
      perform(governor.step([], at: timer))
      reference.step(at: timer.nanoseconds) { _ in }
      compare()
    }
    guard mismatch == nil, reference.page.time < end.nanoseconds else { return }
    reference.step(at: end.nanoseconds, isWake: false) { _ in }
    compare()
  }

  private mutating func happen(_ event: PlanStory.Event) {
    let now = Instant(nanoseconds: reference.page.time)
    switch event {
    case .publish(let fact, let value):
      input([publication(fact, value)], at: now)
      reference.step(at: now.nanoseconds) { $0.publish(fact, value) }
    case .fix(let place):
      let facts = PlanWorld.facts(of: place)
      input(facts.map { publication($0.0, .number($0.1)) }, at: now)
      reference.step(at: now.nanoseconds) { reference in
        for (fact, value) in facts { reference.publish(fact, .number(value)) }
        reference.fixes.append((reference.page.time, place))
      }
    case .raise(let client, let device, let wants):
      let id = nextDemand
      nextDemand += 1
      activeDemands.append((id, client))
      let demand = Demand(id: DemandID(id), client: ClientID(client), target: device.id, wants: wants)
      input([.raise(demand)], at: now)
      reference.step(at: now.nanoseconds) { _ = $0.raise(client, device, wants, id: id) }
    case .release(let place):
      guard !activeDemands.isEmpty else { return }
      release(activeDemands.remove(at: place % activeDemands.count).id, at: now)
    case .depart(let client):
      for demand in activeDemands where demand.client == client { release(demand.id, at: now) }
      activeDemands.removeAll { $0.client == client }
    case .available(let device, let isThere):
      guard let number = governor.vocabulary.device(device.id) else { return }
      input([.available(device: number, isThere)], at: now)
      reference.step(at: now.nanoseconds) { $0.page.isAvailable[device.rawValue] = isThere }
    case .reload: load()
    }
  }

  private mutating func release(_ id: Int64, at now: Instant) {
    input([.release(DemandID(id))], at: now)
    reference.step(at: now.nanoseconds) { $0.release(id) }
  }

  private var isOver: Bool { steps >= Self.maxSteps || quickSteps >= maxQuickSteps }

  /// The maximum number of steps of a contest. A longer story ends there.
  public static let maxSteps = 250

  private func publication(_ fact: PlanWorld.Fact, _ value: FactValue) -> Input {
    guard let number = governor.vocabulary.fact(fact.path) else {
      preconditionFailure("the vocabulary of random policies lacks \(fact.path)")
    }
    return .fact(number, value)
  }

  private mutating func input(_ inputs: [Input], at now: Instant) { perform(governor.step(inputs, at: now)) }

  /// Executes effects, and lets the devices answer at the same instant.
  private mutating func perform(_ wanted: [Effect]) {
    var answers: [Input] = []
    for effect in wanted {
      switch effect {
      case .set(let device, let setting):
        answers.append(.outcome(device: device, .state(setting.isOn ? 1 : 0, period: setting.period)))
      case .drain(let device, let reason):
        answers.append(.delivered(device: device, samples: 1, reason: reason))
        continue
      case .refused(let text), .faulted(_, let text): log.append("refused \(text)")
      case .grant, .ended, .act, .moved, .began, .ceased, .carry, .wakeProcessor, .read: break
      }
      if let line = governor.decisionText(of: effect) { log.append(line) }
    }
    if !answers.isEmpty { perform(governor.step(answers, at: governor.now)) }
  }

  // MARK: Comparing

  private mutating func compare() {
    let new = max(log.count, reference.log.count)
    for line in comparedLines..<max(new, comparedLines) {
      let found = line < log.count ? log[line] : "nothing"
      let expected = line < reference.log.count ? reference.log[line] : "nothing"
      guard found != expected else { continue }
      fail("decided: \(found)\n  expected: \(expected)")
      return
    }
    comparedLines = new
    guard let machine = governor.machine else { return }
    let active = machine.image.rules.indices.filter { machine.isActive(rule: $0) }.map {
      machine.image.rules[$0].id
    }
    let expected = reference.rules.filter(\.isActive).map(\.id)
    if active != expected { fail("active rules: \(active)\n  expected: \(expected)") }
  }

  private mutating func fail(_ text: String) {
    let at = Instant(nanoseconds: reference.page.time) - story.start
    let before = log.suffix(12).joined(separator: "\n  ")
    mismatch = "seed \(seed), after \(at): \(text)\n  \(before)"
  }
}
