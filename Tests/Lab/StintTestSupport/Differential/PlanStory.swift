import StintModel
import StintUnits

/// The inputs of random policies: facts, demands, availability of devices, and reloads.
struct PlanStory: Sendable {
  enum Place: Hashable, Sendable { case inside, outside, unclear }

  enum Event: Hashable, Sendable {
    case publish(PlanWorld.Fact, FactValue)
    /// A position fix; the device publishes all facts of the position at once.
    case fix(Place)
    case raise(client: String, PlanWorld.Device, DemandSettings)
    /// Releases the open demand with this index, modulo the number of open demands.
    case release(Int)
    /// A client departs: all of its demands end.
    case depart(client: String)
    case available(PlanWorld.Device, Bool)
    /// A reload of the unchanged policies. It must have no effect.
    case reload
  }

  let start: Instant
  let utcOffset: TimeSpan
  /// The events at each moment. The moments are the multiples of `PlanWorld.unit` after the start.
  var events: [[Event]]

  init(
    _ world: PlanWorld, start: Instant, utcOffset: TimeSpan, length: Int,
    using generator: inout SeededGenerator
  ) {
    self.start = start
    self.utcOffset = utcOffset
    events = []
    for moment in 0..<length {
      var now: [Event] = []
      // At moment 1, half of these facts are published, so that many facts are known early.
      for fact in [PlanWorld.Fact.near, .far, .level, .flag, .screen, .activity, .app, .beacon] {
        guard generator.once(in: moment == 1 ? 2 : 9) else { continue }
        now.append(.publish(fact, Self.value(of: fact, &generator)))
      }
      if generator.once(in: 6) {
        now.append(.fix(generator.pick([.inside, .inside, .outside, .outside, .unclear])))
      } else if generator.once(in: 12) {
        now.append(
          .publish(.accuracy, generator.once(in: 5) ? .unknown : .number(generator.pick([10, 40, 100]))))
      }
      if generator.once(in: moment < 3 ? 2 : 9) { now.append(Self.raise(world, &generator)) }
      if generator.once(in: 12) { now.append(.release(Int.random(in: 0...9, using: &generator))) }
      if generator.once(in: 30) {
        now.append(.available(generator.pick([.fast, .slow]), generator.once(in: 2)))
      }
      if generator.once(in: 15) { now.append(.reload) }
      events.append(now.shuffled(using: &generator))
    }
    addClients(world, &generator)
  }

  /// Adds up to three clients, each with a probability of one half. The first demands a slow rate and does
  /// not depart. The second demands only in the foreground, and departs. The third raises a demand
  /// periodically, and departs one to three moments after each demand.
  private mutating func addClients(_ world: PlanWorld, _ generator: inout SeededGenerator) {
    let slow = DemandSettings(period: world.span(generator.pick([10, 30])))
    if generator.once(in: 2) {
      add(.raise(client: "app-slow", generator.pick([.fast, .slow]), slow), at: 1)
    }
    if generator.once(in: 2) {
      var wants = slow
      wants.background = false
      add(.raise(client: "app-behind", .fast, wants), at: generator.pick([1, 4]))
      add(.depart(client: "app-behind"), at: events.count / 2)
    }
    guard generator.once(in: 2) else { return }
    let cycle = generator.pick([4, 7, 12])
    for moment in stride(from: 2, to: events.count, by: cycle) {
      add(
        .raise(client: "app-cycle", .fast, DemandSettings(period: world.span(1))), at: moment)
      add(.depart(client: "app-cycle"), at: moment + generator.pick([1, 2, 3]))
    }
  }

  private mutating func add(_ event: Event, at moment: Int) {
    if events.indices.contains(moment) { events[moment].append(event) }
  }

  private static func value(of fact: PlanWorld.Fact, _ generator: inout SeededGenerator) -> FactValue {
    if generator.once(in: 8) { return .unknown }
    switch fact {
    case .near, .far: return .number(Double(Int.random(in: 0...6, using: &generator)))
    case .level: return .number(Double(Int.random(in: 0...4, using: &generator)) / 4)
    case .activity: return .symbol(Int.random(in: 0...2, using: &generator))
    case .app: return .symbol(Int.random(in: 0...1, using: &generator))
    default: return .boolean(generator.once(in: 2))
    }
  }

  private static func raise(_ world: PlanWorld, _ generator: inout SeededGenerator) -> Event {
    let device = generator.pick([PlanWorld.Device.fast, .fast, .slow])
    var wants = DemandSettings()
    if device == .fast, generator.once(in: 2) { wants.accuracy = generator.pick([10, 50, 200]) }
    if generator.once(in: 2) { wants.period = world.span(generator.pick([1, 2])) }
    if generator.once(in: 5) { wants.latency = world.span(generator.pick([1, 4])) }
    if generator.once(in: 4) { wants.background = generator.once(in: 2) }
    if generator.once(in: 5) { wants.pausing = generator.once(in: 2) }
    return .raise(client: generator.pick(["app-a", "app-b", "app-c"]), device, wants)
  }
}
