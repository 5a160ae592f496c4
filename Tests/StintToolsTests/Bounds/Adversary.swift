import StintModel
import StintTestSupport
import StintUnits

/// A pattern of fact changes that repeats for an hour. An adversary tries to make a policy wake devices as
/// often as possible.
struct Adversary: Hashable, Sendable {
  /// A new value of a fact, at a time after the previous change.
  struct Change: Hashable, Sendable {
    var gap: TimeSpan
    var fact: Int
    var value: FactValue
  }

  /// The start time, since Monday 00:00.
  var start: TimeSpan
  var changes: [Change]
  /// The sensors for which clients have demands during the whole hour, each with the requested accuracy.
  var demands: [Demanded]
  /// The indexes of the missing devices.
  var missing: [Int]
  /// The period of a client's small urgent transfers; nil without transfers.
  var traffic: TimeSpan?

  /// A sensor with a client's requested accuracy.
  struct Demanded: Hashable, Sendable {
    var device: Int
    var accuracy: Double?
  }
}

/// The values from which adversaries for one policy are made.
struct AdversaryChoices {
  let vocabulary: Vocabulary
  /// The facts that conditions read, with values on both sides of each limit.
  var facts: [(fact: Int, values: [FactValue])]
  /// The spans in the policy, slightly longer spans, and some short spans.
  var gaps: [TimeSpan]
  let sensors: [Int]
  let switches: [RuleSwitch]

  /// Returns an adversary that repeatedly brings one or two rules into force and ends them.
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
