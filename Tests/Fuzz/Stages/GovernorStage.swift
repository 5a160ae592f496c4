import StintGovernor
import StintModel
import StintUnits

/// Uses arbitrary bytes to select a series of inputs, whose numbers are often at the ends of their ranges.
/// Nothing may trap, and the sums of the ledger must stay exact.
///
/// The first byte selects the devices, and the second byte selects the instant at which the series begins.
enum GovernorStage {
  private static let starts: [Int64] = [
    1_700_000_000_000_000_000, 0, -1, .min, .min + 1, .max - 86_400_000_000_000, 1 << 53,
  ]

  static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    var script = Script(bytes[...])
    let world = script.pick(GovernorWorld.all)
    var course = try GovernorCourse(world, at: Instant(nanoseconds: script.pick(starts)))
    // Several short series find the same errors as one long series, so a series has at most 400 steps.
    for _ in 0..<400 where !script.isOver { try course.step(&script) }
    try course.check()
  }
}

/// A running governor, with the checks after each input.
struct GovernorCourse {
  private static let integers: [Int64] = [
    0, 1, -1, 2, 999, 1_000_000_000, 1 << 31, 1 << 32, 1 << 50, (1 << 50) + 1, 1 << 53, .max - 1, .max, .min,
  ]
  private static let numbers: [Double] = [
    0, -0.0, 1, -1, 0.5, 21, 1e9, 1e15, 1e18, 1.1e18, 9.3e18, -9.3e18, 0x1p53, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan, .infinity, -.infinity, 47.3, 8.5,
  ]
  /// The periods of demands for which the script selects no period; nil is a demand without a period.
  private static let periods: [TimeSpan?] = [nil, nil, .seconds(30), .minutes(10), nil, .hours(24)]
  private static let clients: [ClientID] = ["fuzz", "slow", "behind", "cycle"]
  private static let spans: [TimeSpan] = [
    .zero, TimeSpan(nanoseconds: 1), .milliseconds(1), .seconds(1), .seconds(1), .minutes(3), .hours(2),
    .hours(30), .hours(24 * 400),
  ]

  private let world: GovernorWorld
  private var governor: Governor
  private var nextDemand: Int64 = 1
  /// The last demand of the client `cycle`, and whether it is active. This client alternately ends its demand
  /// and raises the demand again.
  private var cycled: (demand: Demand, isActive: Bool)?

  init(_ world: GovernorWorld, at start: Instant) throws(FuzzFinding) {
    self.world = world
    governor = Governor(vocabulary: world.vocabulary, at: start)
    do { _ = try governor.load(world.program, at: start) } catch {
      throw FuzzFinding("a valid program cannot be loaded: \(error)")
    }
  }

  /// Runs one action of the script. The action is an input, an advance of time, a restart, or a check of the
  /// current state.
  mutating func step(_ script: inout Script) throws(FuzzFinding) {
    switch script.number(below: 16) {
    case 0: try restart(&script)
    case 1: try check()
    case 2, 3: try advance(&script)
    default: try apply(input(&script), at: governor.now)
    }
  }

  private mutating func apply(_ input: Input, at instant: Instant) throws(FuzzFinding) {
    let effects = governor.step(input, at: instant)
    // Devices confirm their settings at once; other outcomes come from the script.
    let answers = effects.compactMap { effect -> Input? in
      guard case .set(let device, let setting) = effect else { return nil }
      return .outcome(device: device, .state(setting.isOn ? 2 : 0, period: setting.period))
    }
    if !answers.isEmpty { _ = governor.step(answers, at: instant) }
    try FuzzFinding.unless(
      governor.nextTimer > instant || instant == .distantFuture,
      "the next timer \(governor.nextTimer.nanoseconds) is not after \(instant.nanoseconds)")
  }

  private mutating func advance(_ script: inout Script) throws(FuzzFinding) {
    let later = governor.now + script.pick(Self.spans)
    let isDue = script.number(below: 2) == 0 && governor.nextTimer < .distantFuture
    let instant = isDue ? max(governor.nextTimer, governor.now) : later
    _ = governor.step(cycle(), at: instant)
  }

  /// Returns the input with which the client `cycle` ends its demand, or raises it again.
  private mutating func cycle() -> [Input] {
    guard var cycled else { return [] }
    cycled.isActive.toggle()
    if cycled.isActive {
      nextDemand += 1
      let former = cycled.demand
      cycled.demand = Demand(
        id: DemandID(nextDemand), client: former.client, target: former.target, wants: former.wants)
    }
    self.cycled = cycled
    return [cycled.isActive ? .raise(cycled.demand) : .release(cycled.demand.id)]
  }

  /// Checks that the ledger is balanced and has refused no amount. The ledger refuses amounts that overflow,
  /// and `InputBounds` excludes such amounts.
  func check() throws(FuzzFinding) {
    for instant in [governor.now, governor.now + .hours(1), .distantFuture] {
      let book = governor.ledger(at: instant)
      try FuzzFinding.unless(book.isBalanced, "the sums of the ledger differ: \(book)")
      try FuzzFinding.unless(book.refused == 0, "the ledger refused \(book.refused) amounts")
      try FuzzFinding.unless(book.total >= .zero, "the total is negative: \(book.total)")
      _ = governor.unexplained(at: instant)
      _ = governor.ruleUse(at: instant)
      _ = governor.spent(at: instant)
    }
    for manifest in world.vocabulary.manifests { _ = governor.status(of: manifest.device) }
    for fact in world.vocabulary.facts.indices { _ = governor.need(of: fact) }
  }

  /// Replaces the governor by a new governor, which restores the saved state of the former governor. In half
  /// of the cases, numbers in this state are first replaced by extreme numbers.
  private mutating func restart(_ script: inout Script) throws(FuzzFinding) {
    var memory = governor.memory
    if script.number(below: 2) == 0 {
      for place in memory.meters.indices {
        memory.meters[place].drawn = Energy(nanojoules: max(script.pick(Self.integers), 0))
      }
      for place in memory.wakeups.indices {
        memory.wakeups[place].instants = [Instant(nanoseconds: script.pick(Self.integers))]
      }
      for place in memory.facts.indices { memory.facts[place].instant = instant(&script) }
      for place in memory.zones.indices { memory.zones[place].since = instant(&script) }
    }
    var next = Governor(vocabulary: world.vocabulary, at: governor.now)
    do { _ = try next.load(world.program, at: governor.now, recalling: memory) } catch {
      throw FuzzFinding("a saved state is not restored: \(error)")
    }
    governor = next
  }

  // MARK: Inputs

  private func instant(_ script: inout Script) -> Instant { Instant(nanoseconds: script.pick(Self.integers)) }

  private func count(_ script: inout Script) -> Int { Int(script.pick(Self.integers)) }

  private func device(_ script: inout Script) -> Int {
    let indices = Array(world.vocabulary.manifests.indices)
    return script.number(below: 16) == 0 ? count(&script) : script.pick(indices)
  }

  private mutating func input(_ script: inout Script) -> Input {
    switch script.number(below: 12) {
    case 0, 1: return .fact(fact(&script), value(&script))
    case 2, 3:
      nextDemand += 1
      let demand = demand(&script)
      if demand.client == "cycle" { cycled = (demand, true) }
      return .raise(demand)
    case 4: return .release(DemandID(Int64(script.number(below: 8)) + nextDemand - 8))
    case 5:
      let period = script.number(below: 2) == 0 ? nil : TimeSpan(nanoseconds: script.pick(Self.integers))
      let state = script.number(below: 8) == 0 ? count(&script) : script.number(below: 3)
      return .outcome(device: device(&script), .state(state, period: period))
    case 6, 7:
      return .outcome(device: device(&script), .event(script.number(below: 2), count: count(&script)))
    case 8:
      let reasons: [DeliveryReason] = [.immediate, .full, .ended, .piggybacked, .reached(.time(.unlimited))]
      return .delivered(device: device(&script), samples: count(&script), reason: script.pick(reasons))
    case 9: return .carried(DemandID(Int64(script.number(below: 8)) + nextDemand - 8))
    case 10: return .available(device: device(&script), script.number(below: 2) == 0)
    default: return .wakeRequested(DemandID(nextDemand - Int64(script.number(below: 8))))
    }
  }

  private func fact(_ script: inout Script) -> Int {
    script.number(below: 16) == 0 ? count(&script) : script.number(below: world.vocabulary.facts.count)
  }

  private func value(_ script: inout Script) -> FactValue {
    switch script.number(below: 8) {
    case 0: .unknown
    case 1: .boolean(script.number(below: 2) == 0)
    case 2: .symbol(script.number(below: 3))
    default: .number(script.pick(Self.numbers))
    }
  }

  private func demand(_ script: inout Script) -> Demand {
    let manifest = script.pick(world.vocabulary.manifests)
    func span(_ script: inout Script) -> TimeSpan? {
      script.number(below: 2) == 0 ? nil : TimeSpan(nanoseconds: script.pick(Self.integers))
    }
    var wants = DemandSettings(period: span(&script), latency: span(&script))
    // The number of the demand, not the script, selects the default period, `background` and the client. A
    // choice by the script would consume bytes, and recorded inputs would change their meaning.
    if wants.period == nil { wants.period = Self.periods[Int(nextDemand) % Self.periods.count] }
    if nextDemand % 3 == 0 { wants.background = nextDemand % 2 == 0 }
    if script.number(below: 2) == 0 { wants.accuracy = script.pick(Self.numbers) }
    if manifest.kind == .radio {
      wants.transfer = Transfer(
        bytesUp: script.pick(Self.integers), bytesDown: script.pick(Self.integers), deadline: span(&script))
    }
    return Demand(
      id: DemandID(nextDemand), client: Self.clients[Int(nextDemand / 2) % Self.clients.count],
      target: manifest.device, wants: wants)
  }
}
