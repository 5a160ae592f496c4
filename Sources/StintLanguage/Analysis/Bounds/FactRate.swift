import StintModel
import StintUnits

/// Computes how often facts change.
///
/// A published fact changes with each new value. It also changes when its value reaches the maximum age. The
/// governor limits each fact to the rate in its manifest, so the rate has a bound even for a faulty device.
struct FactRate {
  let vocabulary: Vocabulary
  /// The shortest time between two switch-ons, by device.
  let cycles: [DeviceID: TimeSpan]
  /// The maximum age of a device's facts, by device, where policies set one.
  let maxAges: [DeviceID: TimeSpan]
  /// How often a state machine changes its state within any one hour, by the path of the machine.
  var machines: [String: RateBound] = [:]
  /// The devices whose sampling rate a rule may change.
  var adjusted: Set<DeviceID> = []
  /// How often `demanded(DEVICE)` becomes true because of rules, within any one hour.
  var demandBegins: [DeviceID: RateBound] = [:]

  /// The cached results. Many conditions may read one fact, so its rate is computed only once.
  private let memo = Memo()

  private final class Memo {
    var changes: [String: Changes] = [:]
    /// The rates of change of the facts that determine zones. The key is the path of a beacon's fact, or nil
    /// for positions.
    var zones: [String?: RateBound] = [:]
  }

  init(vocabulary: Vocabulary, cycles: [DeviceID: TimeSpan], maxAges: [DeviceID: TimeSpan]) {
    self.vocabulary = vocabulary
    self.cycles = cycles
    self.maxAges = maxAges
  }

  /// The changes of one fact within any one hour.
  struct Changes {
    /// New values, and values that become unknown.
    var all: RateBound
    /// An upper bound on the changes to one particular value. It is also a bound on the changes from this
    /// value to other values.
    var changeRate: RateBound
  }

  func changes(of path: String) -> Changes {
    guard let number = vocabulary.fact(path) else {
      let reason = RateBound.unbounded("\(path) is not known")
      return Changes(all: reason, changeRate: reason)
    }
    let schema = vocabulary.facts[number]
    if number >= vocabulary.firstComputed {
      return computed(vocabulary.computed[number - vocabulary.firstComputed])
    }
    if let known = memo.changes[path] { return known }
    let changes = published(schema)
    memo.changes[path] = changes
    return changes
  }

  private func published(_ schema: FactSchema) -> Changes {
    if let own = governorChanges(schema) { return own }
    guard let values = schema.maxValues(within: .hours(1)) else {
      let reason = RateBound.unbounded("\(field(of: schema)) is missing in \(source(of: schema))")
      return Changes(all: reason, changeRate: reason)
    }
    // A fact takes a particular value again only after a change to a different value. So at most half of all
    // changes are changes to this value. A fact that reaches its maximum age becomes unknown, which is also a
    // change to a different value. A value that expires within the hour may have been published before the
    // hour.
    var lapses = 0
    if let age = schema.maxAge.map({ age in schema.device.flatMap { maxAges[$0] } ?? age }) {
      lapses = min(values + 1, Int(TimeSpan.hours(1).nanoseconds / max(age.nanoseconds, 1)) + 1)
    }
    return Changes(all: .atMost(values + lapses), changeRate: .atMost((values + lapses + 1) / 2))
  }

  /// Returns how often `demanded(device)` changes its value because of rules.
  func demandChanges(of device: DeviceID) -> RateBound {
    let begins = demandBegins[device] ?? .never
    return begins.isNever ? .never : begins + begins + .atMost(1)
  }

  /// Returns the rate of the values that enter a window plus the rate of the values that leave the window.
  func windowChanges(of path: String) -> RateBound {
    let all = changes(of: path).all
    return all + all
  }

  /// Returns true when the fact changes continuously. For such a fact, `changes` contains only how often the
  /// fact may pass one fixed limit.
  func isContinuous(_ path: String) -> Bool {
    guard let number = vocabulary.fact(path), number >= vocabulary.firstComputed else { return false }
    switch vocabulary.computed[number - vocabulary.firstComputed].source {
    case .budget, .energy, .unexplained, .respite: return true
    case .wakeups, .zone, .machine, .rule, .client, .grant, .observed, .keyed: return false
    }
  }

  private func field(of schema: FactSchema) -> String { "“fastest” of \(schema.path)" }

  private func source(of schema: FactSchema) -> String {
    schema.device.map { "the manifest of \($0)" } ?? "its declaration"
  }

  /// Returns the rate of a fact that the governor sets for a device: `available`, `on` or `state`. Nil for
  /// any other fact, and for a device whose kind is `source`.
  private func governorChanges(_ schema: FactSchema) -> Changes? {
    guard let device = schema.device, let manifest = vocabulary.manifest(device), manifest.kind != .source
    else { return nil }
    switch schema.path {
    case device.path + ".available": return Changes(all: .never, changeRate: .never)
    case device.path + ".on" where manifest.kind == .sensor:
      var changeRate = RateBound.spaced(
        cycles[device] ?? .zero, else: "\(device) has no “linger”, so it may switch on and off at any rate")
      // At long periods, some sensors turn themselves off between two samples. A change of the period can
      // then turn the sensor on at any time.
      if let period = manifest.figures["cycling_from"]?.timeSpan {
        changeRate =
          adjusted.contains(device)
          ? .unbounded("each rule that changes the rate of \(device) may turn it on")
          : changeRate + .spaced(period, else: "“cycling_from” of \(device) is 0 s")
      }
      return Changes(all: changeRate + changeRate, changeRate: changeRate)
    case device.path + ".on", device.path + ".state":
      let reason = RateBound.unbounded("\(schema.path) may change at any rate")
      return Changes(all: reason, changeRate: reason)
    default: return nil
    }
  }

  private func computed(_ fact: ComputedFact) -> Changes {
    switch fact.source {
    case .budget(let budget):
      // The use of a budget rises continuously and falls when its period ends. One hour contains at most two
      // ends of hourly periods.
      let ends = budget.period == .hour ? 2 : 1
      return Changes(all: .atMost(2 * ends + 1), changeRate: .atMost(ends + 1))
    case .energy: return Changes(all: .atMost(3), changeRate: .atMost(2))
    case .unexplained: return Changes(all: .atMost(1), changeRate: .atMost(1))
    case .respite:
      let reason = RateBound.unbounded("the validity of positions may change at any rate")
      return Changes(all: reason, changeRate: reason)
    case .wakeups(let device):
      let changeRate = RateBound.spaced(
        cycles[device] ?? .zero, else: "\(device) has no “linger”, so it may switch on and off at any rate")
      return Changes(all: changeRate + changeRate, changeRate: changeRate)
    case .zone(let zone, _): return changes(of: zone)
    case .observed(let observation): return observed(observation)
    // The request of a client does not change while its demand exists.
    case .client: return Changes(all: .never, changeRate: .never)
    case .machine:
      let moves = machines[fact.schema.path] ?? .unbounded("\(fact.schema.path) may change at any time")
      return Changes(all: moves, changeRate: moves.halved)
    case .rule, .grant, .keyed:
      let reason = RateBound.unbounded("\(fact.schema.path) may change at any rate")
      return Changes(all: reason, changeRate: reason)
    }
  }

  private func observed(_ observation: Observation) -> Changes {
    switch observation {
    case .spread(let device, _):
      let all = windowChanges(of: device.path + ".longitude")
      return Changes(all: all, changeRate: all.halved)
    case .unexplained: return Changes(all: .atMost(1), changeRate: .atMost(1))
    case .heard, .failed, .batchDone, .powered, .starts, .hostWakeups, .watching, .used, .energy, .signal:
      let reason = RateBound.unbounded("\(observation.path) may change at any rate")
      return Changes(all: reason, changeRate: reason)
    }
  }

  /// Returns the rate at which a beacon's fact changes; without a beacon, the rate at which positions change.
  ///
  /// The result is cached, because it is equal for all circular zones, and for all zones of one beacon. There
  /// may be thousands of zones.
  private func changesOfLocation(by beacon: String?) -> RateBound {
    if let known = memo.zones[beacon] { return known }
    let published = vocabulary.facts.prefix(vocabulary.firstComputed).lazy.map(\.path)
    let sources = published.filter { path in
      beacon.map { $0 == path } ?? (path.hasSuffix(".latitude") || path.hasSuffix(".accuracy"))
    }
    let changes = RateBound.sum(sources.map { self.changes(of: $0).all })
    memo.zones[beacon] = changes
    return changes
  }

  /// Returns the rate at which a zone changes.
  ///
  /// Each fix or beacon reading changes a zone at most once. Between two entries into a zone, at least the
  /// sum of `enterAfter` and `exitAfter` passes. A zone becomes unknown at most once in 10 minutes, because
  /// it remains known for 10 minutes after each fix.
  private func changes(of zone: Zone) -> Changes {
    let lapses = RateBound.spaced(.minutes(10))
    let moves = changesOfLocation(by: zone.beaconFact) + lapses
    let delays = RateBound.spaced(zone.enterAfter + zone.exitAfter, else: "a zone without delay") + lapses
    let rounds = RateBound.min(moves.halved, delays)
    return Changes(all: rounds + rounds + .atMost(2), changeRate: rounds + .atMost(1))
  }
}
