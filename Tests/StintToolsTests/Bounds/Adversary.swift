import StintModel
import StintTestSupport
import StintUnits

/// What the world does to a policy for an hour: facts that change in a pattern, again and again.
struct Adversary: Hashable, Sendable {
  /// A fact takes a value, some time after the change before.
  struct Change: Hashable, Sendable {
    var gap: TimeSpan
    var fact: Int
    var value: FactValue
  }

  /// Since Monday 00:00.
  var start: TimeSpan
  var changes: [Change]
  /// The sensors that clients want throughout, each with the accuracy asked for.
  var demands: [Demanded]
  /// Devices that are not there.
  var missing: [Int]
  /// How often a client has something small and urgent to send; nil for never.
  var traffic: TimeSpan?

  /// A sensor and what a client wants of it.
  struct Demanded: Hashable, Sendable {
    var device: Int
    var accuracy: Double?
  }
}

/// What adversaries can choose among for one policy.
struct AdversaryChoices {
  let vocabulary: Vocabulary
  /// The facts that conditions read, with values on every side of every limit.
  var facts: [(fact: Int, values: [FactValue])]
  /// Spans that the policy speaks of, and a little more.
  var gaps: [TimeSpan]
  let sensors: [Int]
  let switches: [RuleSwitch]

  /// One that makes a rule or two hold and ends them, over and over.
  func aimed(_ random: inout SeededGenerator) -> Adversary {
    var adversary = any(&random)
    guard !switches.isEmpty else { return adversary }
    adversary.changes = (0..<Int.random(in: 1...2, using: &random)).flatMap { _ in cycle(&random) }
    if adversary.changes.isEmpty { adversary.changes = [change(&random)] }
    return adversary
  }

  private func cycle(_ random: inout SeededGenerator) -> [Adversary.Change] {
    let chosen = random.pick(switches)
    return [chosen.on, chosen.off].flatMap { facts in
      facts.enumerated().map { place, entry in
        Adversary.Change(gap: place == 0 ? gap(&random) : .zero, fact: entry.fact, value: entry.value)
      }
    }
  }

  /// Anything at all.
  func any(_ random: inout SeededGenerator) -> Adversary {
    let count = Int.random(in: 1...(random.once(in: 3) ? 12 : 4), using: &random)
    let minutes = Int64.random(in: 0..<(7 * 24 * 60), using: &random)
    return Adversary(
      start: TimeSpan.minutes(minutes), changes: (0..<count).map { _ in change(&random) },
      demands: demands(&random), missing: missing(&random), traffic: random.once(in: 2) ? nil : gap(&random))
  }

  func change(_ random: inout SeededGenerator) -> Adversary.Change {
    let (fact, values) = random.pick(facts)
    return Adversary.Change(gap: gap(&random), fact: fact, value: random.pick(values))
  }

  private func gap(_ random: inout SeededGenerator) -> TimeSpan {
    random.once(in: 3) ? .milliseconds(Int64.random(in: 0...90_000, using: &random)) : random.pick(gaps)
  }

  private func missing(_ random: inout SeededGenerator) -> [Int] {
    vocabulary.manifests.indices.filter { vocabulary.manifests[$0].ladder != nil && random.once(in: 4) }
  }

  private func demands(_ random: inout SeededGenerator) -> [Adversary.Demanded] {
    sensors.filter { _ in random.once(in: 2) }.map { device in
      Adversary.Demanded(device: device, accuracy: random.pick([nil, nil, 5, 20, 60, 200, 4000]))
    }
  }

  /// The same with something changed.
  func mutated(_ adversary: Adversary, _ random: inout SeededGenerator) -> Adversary {
    var next = adversary
    let place = Int.random(in: 0..<next.changes.count, using: &random)
    switch Int.random(in: 0...10, using: &random) {
    case 9 where !switches.isEmpty: next.changes.insert(contentsOf: cycle(&random), at: place)
    case 0: next.changes.insert(change(&random), at: place)
    case 1 where next.changes.count > 1: next.changes.remove(at: place)
    case 2, 3: next.changes[place].gap = gap(&random)
    case 4:
      let old = next.changes[place].fact
      guard let values = facts.first(where: { $0.fact == old })?.values else { break }
      next.changes[place].value = random.pick(values)
    case 5: next.changes[place] = change(&random)
    case 6: next.demands = demands(&random)
    case 7: next.missing = missing(&random)
    case 8: next.traffic = random.once(in: 3) ? nil : gap(&random)
    default: next.start = TimeSpan.minutes(Int64.random(in: 0..<(7 * 24 * 60), using: &random))
    }
    return next
  }
}
