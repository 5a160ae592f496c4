import StintCompiler
import StintLanguage
import StintModel
import StintTestSupport
import StintUnits

/// Runs policies with one requirement in a governor, with the facts of a `Witness` or with random inputs.
struct RequirementRun {
  private var trial: PolicyTrial
  private let vocabulary: Vocabulary
  // The epoch was a Thursday. 100 weeks and 4 days later is a Monday.
  private static let monday = Instant(nanoseconds: (100 * 7 + 4) * 86_400_000_000_000)

  /// Returns whether the facts and demands of a witness violate the requirement.
  static func isBroken(_ policies: [CheckedPolicy], by witness: Witness, _ vocabulary: Vocabulary) throws
    -> Bool
  {
    let moment = monday + (witness.weekTime ?? .hours(12))
    let published = Instant(nanoseconds: moment.nanoseconds - witness.held.nanoseconds)
    let loaded = witness.isFresh ? published : Instant(nanoseconds: published.nanoseconds - 3_600_000_000_000)
    var stage = RequirementRun(
      trial: try PolicyTrial(watching(policies), vocabulary: vocabulary, at: loaded), vocabulary: vocabulary)
    if !witness.isFresh {
      stage.publish(witness.earlier, witness.earlierDemands, at: loaded)
      stage.keep(witness.earlier, silent: witness.silent, from: loaded, to: published)
    }
    stage.publish(witness.readings, witness.demands, at: published)
    // The devices of these policies linger for up to 5 s.
    stage.keep(witness.readings, silent: witness.silent, from: published, to: moment + .seconds(6))
    return !stage.trial.violations.isEmpty
  }

  /// Returns the number of violations while facts and demands change at random.
  static func violations(
    _ policies: [CheckedPolicy], _ vocabulary: Vocabulary, changes: Int, _ random: inout SeededGenerator
  ) throws -> Int {
    var now = monday + .hours(Int64.random(in: 0...100, using: &random))
    var stage = RequirementRun(
      trial: try PolicyTrial(watching(policies), vocabulary: vocabulary, at: now), vocabulary: vocabulary)
    let facts: [(path: String, values: [FactValue])] = [
      ("battery.level", [.number(0.1), .number(0.3), .number(0.5), .number(0.9), .unknown]),
      ("app.state", [.symbol(0), .symbol(1), .unknown]),
      ("screen.on", [.boolean(true), .boolean(false), .unknown]),
      ("net.kind", [.symbol(0), .symbol(1), .symbol(2)]),
    ]
    for _ in 0..<changes {
      now = now + random.pick([.zero, .seconds(1), .seconds(3), .seconds(6), .seconds(61), .minutes(6)])
      stage.trial.advance(to: now)
      if random.once(in: 3) {
        stage.trial.demand(random.pick(["location.gnss", "location.wifi"]), random.once(in: 2))
      } else {
        let (path, values) = random.pick(facts)
        stage.publish([Witness.Reading(path: path, value: random.pick(values))], [], at: now)
      }
    }
    return stage.trial.violations.count
  }

  /// Returns the policies with every requirement watched at run time, including proved requirements.
  private static func watching(_ policies: [CheckedPolicy]) -> [CheckedPolicy] {
    policies.map { policy in
      var policy = policy
      for number in policy.requirements.indices { policy.requirements[number].verdict = .open }
      return policy
    }
  }

  private mutating func publish(
    _ readings: [Witness.Reading], _ demands: [Witness.DemandAssumption], at instant: Instant
  ) {
    for reading in readings {
      if let fact = vocabulary.fact(reading.path) { trial.set(fact, reading.value, at: instant) }
    }
    for wanting in demands { trial.demand(wanting.device, wanting.isDemanded) }
  }

  /// Publishes values again each time they reach their maximum age, except the values of the facts
  /// in `silent`.
  private mutating func keep(
    _ readings: [Witness.Reading], silent: [String], from start: Instant, to end: Instant
  ) {
    var due: [(Instant, Int, FactValue)] = []
    for reading in readings where reading.value != .unknown && !silent.contains(reading.path) {
      guard let fact = vocabulary.fact(reading.path), let age = vocabulary.facts[fact].maxAge else {
        continue
      }
      var next = start + age
      while next <= end {
        due.append((next, fact, reading.value))
        next = next + age
      }
    }
    for (instant, fact, value) in due.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      trial.set(fact, value, at: instant)
    }
    trial.advance(to: end)
  }
}
