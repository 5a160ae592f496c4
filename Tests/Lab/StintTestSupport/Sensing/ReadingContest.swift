import StintGovernor
import StintModel
import StintUnits

/// Runs random policies on a random story in two governors and compares the decisions.
///
/// The sources of the first governor publish every value periodically. The sources of the second governor are
/// read only when the governor requests a reading. The policies have no `flex`, because a rule with `flex`
/// may run with the next step, and the two governors have different steps.
public struct ReadingContest {
  /// The first difference between the two governors; nil when there is no difference.
  public private(set) var mismatch: String?
  /// The number of periodic publications.
  public private(set) var turns = 0
  /// The number of requested readings.
  public private(set) var readings = 0
  /// The number of decisions.
  public var decisions: Int { published.log.count }

  public let texts: [String]
  private let story: PlanStory
  private let world: PlanWorld
  private let programs: (published: Program, requested: Program)
  /// The side whose sources publish every value.
  private var published: Side
  /// The side whose sources are read on request.
  private var requested: Side
  private var values: [PlanWorld.Fact: FactValue] = [.level: .number(0.5)]
  /// The target of the battery level, as a ratio. The level moves toward it by at most `PlanWorld.steepness`
  /// in each period.
  private var level = 0.5
  private var nextDemand: Int64 = 1
  /// The open demands, in the order in which they were raised.
  private var activeDemands: [(id: Int64, client: String)] = []

  /// A governor and its decisions.
  private struct Side {
    var governor: Governor
    var log: [String] = []
    var steps = 0
    /// The number of steps that follow the previous step within one millisecond.
    var quickSteps = 0
  }

  /// Makes the policies and the story of a seed.
  ///
  /// - Parameters:
  ///   - seed: determines the policies and the story.
  ///   - length: the duration of the story in units of `PlanWorld.unit`.
  /// - Throws: `Broken` when the generated policies have errors, which is a bug of the generator.
  public init(seed: UInt64, moments length: Int = 40) throws(PolicyContest.Broken) {
    var generator = SeededGenerator(seed: seed)
    let unit: TimeSpan = generator.pick([.seconds(1), .seconds(1), .minutes(1)])
    world = PlanWorld(unit: unit)
    let start = Instant(nanoseconds: (20_000 * 86_400 + 23 * 3_600 + 58 * 60) * 1_000_000_000)
    var plans = PlanGenerator(
      generator: SeededGenerator(seed: seed ^ 0x5eed), world: world, firstMinute: 23 * 60 + 58,
      minutes: Int(world.span(length).nanoseconds / 60_000_000_000), hasFlexibleRules: false)
    let world = world
    texts = plans.policies().map { $0.text(world) }
    story = PlanStory(world, start: start, utcOffset: .zero, length: length, using: &generator)
    let reading = PlanWorld(unit: unit, isRead: true).vocabulary
    programs = (
      try PolicyContest.program(texts, world.vocabulary), try PolicyContest.program(texts, reading)
    )
    published = Side(governor: Governor(vocabulary: world.vocabulary, at: start))
    requested = Side(governor: Governor(vocabulary: reading, at: start))
  }

  /// Runs the story until it ends or the decisions of the two governors differ.
  public mutating func run() {
    if let first = story.events.first { move(first) }
    // Both governors have equal facts when the policies come into force.
    give(PlanWorld.readable.flatMap { inputs(of: $0.facts) }, at: story.start)
    load()
    for (moment, events) in story.events.enumerated() where mismatch == nil && !isOver {
      let now = story.start + world.span(moment)
      turn(to: now, events)
      for event in events where mismatch == nil && !isOver {
        happen(event, at: now)
        compare()
      }
    }
  }

  private var isOver: Bool {
    max(published.steps, requested.steps) >= 4 * PolicyContest.maxSteps
      || max(published.quickSteps, requested.quickSteps) >= 40
  }

  /// Advances both governors to an instant and applies the new sensor values of the story. Publishes the
  /// values of all sources to the first governor only.
  private mutating func turn(to now: Instant, _ events: [PlanStory.Event]) {
    pass(\.published, to: now - TimeSpan(nanoseconds: 1))
    pass(\.requested, to: now - TimeSpan(nanoseconds: 1))
    if now > story.start { move(events) }
    turns += PlanWorld.readable.count
    let inputs = PlanWorld.readable.flatMap { self.inputs(of: $0.facts) }
    perform(\.published, published.governor.step(inputs, at: now))
    pass(\.requested, to: now)
    pass(\.published, to: now)
    compare()
  }

  private mutating func move(_ events: [PlanStory.Event]) {
    for event in events {
      guard case .publish(let fact, let value) = event, Self.isRead(fact) else { continue }
      if fact != .level {
        values[fact] = value
      } else if case .number(let wanted) = value {
        level = wanted
      }
    }
    if case .number(let before) = values[.level] {
      values[.level] = .number(before + max(-PlanWorld.steepness, min(PlanWorld.steepness, level - before)))
    }
  }

  private static func isRead(_ fact: PlanWorld.Fact) -> Bool {
    PlanWorld.readable.contains { $0.facts.contains(fact) }
  }

  private func inputs(of facts: [PlanWorld.Fact]) -> [Input] {
    facts.map { input($0, values[$0] ?? .unknown) }
  }

  private func input(_ fact: PlanWorld.Fact, _ value: FactValue) -> Input {
    guard let number = published.governor.vocabulary.fact(fact.path) else {
      preconditionFailure("the vocabulary of random policies lacks \(fact.path)")
    }
    return .fact(number, value)
  }

  private mutating func pass(_ side: WritableKeyPath<Self, Side>, to end: Instant) {
    while self[keyPath: side].governor.nextTimer <= end, !isOver {
      let governor = self[keyPath: side].governor
      let timer = max(governor.nextTimer, governor.now)
      self[keyPath: side].steps += 1
      if timer - governor.now <= TimeSpan.milliseconds(1) { self[keyPath: side].quickSteps += 1 }
      perform(side, self[keyPath: side].governor.step([], at: timer))
    }
  }

  private mutating func happen(_ event: PlanStory.Event, at now: Instant) {
    switch event {
    case .publish(let fact, let value): if !Self.isRead(fact) { give([input(fact, value)], at: now) }
    case .fix(let place): give(PlanWorld.facts(of: place).map { input($0.0, .number($0.1)) }, at: now)
    case .raise(let client, let device, let wants):
      activeDemands.append((nextDemand, client))
      let demand = Demand(
        id: DemandID(nextDemand), client: ClientID(client), target: device.id, wants: wants)
      nextDemand += 1
      give([.raise(demand)], at: now)
    case .release(let place):
      guard !activeDemands.isEmpty else { return }
      give([.release(DemandID(activeDemands.remove(at: place % activeDemands.count).id))], at: now)
    case .depart(let client):
      for demand in activeDemands where demand.client == client {
        give([.release(DemandID(demand.id))], at: now)
      }
      activeDemands.removeAll { $0.client == client }
    case .available(let device, let isThere):
      for side in [\Self.published, \Self.requested] {
        guard let number = self[keyPath: side].governor.vocabulary.device(device.id) else { continue }
        perform(side, self[keyPath: side].governor.step(.available(device: number, isThere), at: now))
      }
    case .reload: load()
    }
  }

  private mutating func give(_ inputs: [Input], at now: Instant) {
    perform(\.published, published.governor.step(inputs, at: now))
    perform(\.requested, requested.governor.step(inputs, at: now))
  }

  private mutating func load() {
    do throws(Problem) {
      perform(
        \.published, try published.governor.load(programs.published, at: published.governor.now).effects)
      perform(
        \.requested, try requested.governor.load(programs.requested, at: requested.governor.now).effects)
    } catch {
      preconditionFailure("policies compiled for this world are not put in force: \(error)")
    }
  }

  /// Executes effects, and lets the devices and sources answer at the same instant.
  private mutating func perform(_ side: WritableKeyPath<Self, Side>, _ wanted: [Effect]) {
    var answers: [Input] = []
    var readings: [Input] = []
    for effect in wanted {
      switch effect {
      case .set(let device, let setting):
        answers.append(.outcome(device: device, .state(setting.isOn ? 1 : 0, period: setting.period)))
      case .drain(let device, let reason):
        answers.append(.delivered(device: device, samples: 1, reason: reason))
      case .read(let device):
        self.readings += 1
        let source = self[keyPath: side].governor.vocabulary.manifests[device].device
        readings += PlanWorld.readable.first { $0.source == source }.map { inputs(of: $0.facts) } ?? []
      case .grant, .ended, .act, .moved, .began, .ceased, .carry, .wakeProcessor, .refused, .faulted: break
      }
      if let line = self[keyPath: side].governor.decisionText(of: effect) {
        self[keyPath: side].log.append(line)
      }
    }
    for inputs in [answers, readings] where !inputs.isEmpty {
      perform(side, self[keyPath: side].governor.step(inputs, at: self[keyPath: side].governor.now))
    }
  }

  private mutating func compare() {
    guard mismatch == nil, published.log != requested.log else { return }
    let line = zip(published.log, requested.log).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    // The maximum number of steps may have ended one of the two runs earlier than the other. Then one log is
    // a prefix of the other.
    if line == nil, isOver { return }
    let place = line ?? min(published.log.count, requested.log.count)
    let texts = [published.log, requested.log].map { place < $0.count ? $0[place] : "nothing" }
    mismatch =
      "after \(published.governor.now - story.start), the decisions differ:\n"
      + "  with all values published: \(texts[0])\n  with readings only when needed: \(texts[1])"
  }
}
