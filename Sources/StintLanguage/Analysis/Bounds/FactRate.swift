import StintModel
import StintUnits

/// How often facts change.
///
/// A published fact changes with each value, and once more when a value grows too old. The governor holds sources
/// to the pace of their manifests, so what it lets through is bounded whatever they do.
struct FactRate {
  let vocabulary: Vocabulary
  /// By device: the least time between two switch-ons.
  let cycles: [DeviceID: TimeSpan]
  /// By device: how old its facts may grow where policies say so.
  let maxAges: [DeviceID: TimeSpan]
  /// By path: how often a policy's machine moves.
  var machines: [String: Pace] = [:]

  /// What was worked out of published facts already.
  private let memo = Memo()

  private final class Memo {
    var changes: [String: Changes] = [:]
    /// By the fact of a beacon, or nil for positions: how often zones that it tells about may move.
    var zones: [String?: Pace] = [:]
  }

  init(vocabulary: Vocabulary, cycles: [DeviceID: TimeSpan], maxAges: [DeviceID: TimeSpan]) {
    self.vocabulary = vocabulary
    self.cycles = cycles
    self.maxAges = maxAges
  }

  /// What happens to one fact in an hour.
  struct Changes {
    /// Values and ends of values.
    var all: Pace
    /// How often it comes to have any one value, or loses it.
    var turns: Pace
  }

  func changes(of path: String) -> Changes {
    guard let number = vocabulary.fact(path) else {
      let reason = Pace.unbounded("\(path) is not known")
      return Changes(all: reason, turns: reason)
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
    guard let values = schema.mostValues(within: .hours(1)) else {
      let reason = Pace.unbounded("\(field(of: schema)) is missing in \(source(of: schema))")
      return Changes(all: reason, turns: reason)
    }
    // Two values make a turn and undo it, but one does where it grows too old in between; one from before the hour too.
    var lapses = 0
    if let age = schema.maxAge.map({ age in schema.device.flatMap { maxAges[$0] } ?? age }) {
      lapses = min(values + 1, Int(TimeSpan.hours(1).nanoseconds / max(age.nanoseconds, 1)) + 1)
    }
    return Changes(all: .atMost(values + lapses), turns: .atMost((values + lapses + 1) / 2))
  }

  /// Values that reach a window, and values that leave it.
  func windowChanges(of path: String) -> Pace {
    let all = changes(of: path).all
    return all + all
  }

  /// Whether the fact moves all the time, so that it may pass any number of limits with no more than one change.
  func isContinuous(_ path: String) -> Bool {
    guard let number = vocabulary.fact(path), number >= vocabulary.firstComputed else { return false }
    switch vocabulary.computed[number - vocabulary.firstComputed].source {
    case .budget, .energy, .unexplained, .respite: return true
    case .wakeups, .zone, .machine, .rule, .client, .grant, .observed: return false
    }
  }

  private func field(of schema: FactSchema) -> String { "“fastest” of \(schema.path)" }

  private func source(of schema: FactSchema) -> String {
    schema.device.map { "the manifest of \($0)" } ?? "its declaration"
  }

  /// What the governor itself keeps of a device: whether it is there, is on, and in which state.
  private func governorChanges(_ schema: FactSchema) -> Changes? {
    guard let device = schema.device, let manifest = vocabulary.manifest(device), manifest.kind != .source
    else { return nil }
    switch schema.path {
    case device.path + ".available": return Changes(all: .never, turns: .never)
    case device.path + ".on" where manifest.kind == .sensor:
      let turns = Pace.spaced(
        cycles[device] ?? .zero, else: "\(device) goes on and off without “linger” in between")
      return Changes(all: turns + turns, turns: turns)
    case device.path + ".on", device.path + ".state":
      let reason = Pace.unbounded("nothing says how often \(schema.path) changes")
      return Changes(all: reason, turns: reason)
    default: return nil
    }
  }

  private func computed(_ fact: ComputedFact) -> Changes {
    switch fact.source {
    case .budget(let budget):
      // It rises all the time, and falls when its period ends; an hour sees the ends of two short ones.
      let ends = budget.period == .hour ? 2 : 1
      return Changes(all: .atMost(2 * ends + 1), turns: .atMost(ends + 1))
    case .energy: return Changes(all: .atMost(3), turns: .atMost(2))
    case .unexplained: return Changes(all: .atMost(1), turns: .atMost(1))
    case .respite:
      let reason = Pace.unbounded("nothing says how fast positions grow old")
      return Changes(all: reason, turns: reason)
    case .wakeups(let device):
      let turns = Pace.spaced(
        cycles[device] ?? .zero, else: "\(device) goes on and off without “linger” in between")
      return Changes(all: turns + turns, turns: turns)
    case .zone(let zone, _): return changes(of: zone)
    case .observed(let observation): return observed(observation)
    // What a client asks for stays as long as it asks.
    case .client: return Changes(all: .never, turns: .never)
    case .machine:
      let moves = machines[fact.schema.path] ?? .unbounded("\(fact.schema.path) may move at any time")
      return Changes(all: moves, turns: moves.halved)
    case .rule, .grant:
      let reason = Pace.unbounded("nothing says how often \(fact.schema.path) changes")
      return Changes(all: reason, turns: reason)
    }
  }

  private func observed(_ observation: Observation) -> Changes {
    switch observation {
    case .spread(let device, _):
      let all = windowChanges(of: device.path + ".longitude")
      return Changes(all: all, turns: all.halved)
    case .unexplained: return Changes(all: .atMost(1), turns: .atMost(1))
    case .heard, .failed, .batchDone, .watching, .used, .energy, .signal:
      let reason = Pace.unbounded("nothing says how often \(observation.path) changes")
      return Changes(all: reason, turns: reason)
    }
  }

  /// How often a beacon's fact changes, or the position of any device where there is no beacon; the same for all zones
  /// of a kind, and there may be thousands.
  private func signs(of beacon: String?) -> Pace {
    if let known = memo.zones[beacon] { return known }
    let published = vocabulary.facts.prefix(vocabulary.firstComputed).lazy.map(\.path)
    let sources = published.filter { path in
      beacon.map { $0 == path } ?? (path.hasSuffix(".latitude") || path.hasSuffix(".accuracy"))
    }
    let signs = Pace.sum(sources.map { changes(of: $0).all })
    memo.zones[beacon] = signs
    return signs
  }

  /// Each fix or beacon may move a zone once; to come and to go takes its delays, and to be forgotten takes long.
  private func changes(of zone: Zone) -> Changes {
    let lapses = Pace.spaced(.minutes(10))
    let moves = signs(of: zone.beaconFact) + lapses
    let delays = Pace.spaced(zone.enterAfter + zone.exitAfter, else: "a zone without delay") + lapses
    let rounds = Pace.min(moves.halved, delays)
    return Changes(all: rounds + rounds + .atMost(2), turns: rounds + .atMost(1))
  }
}
