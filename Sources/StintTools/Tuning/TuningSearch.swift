import StintUnits

/// Selects the parameter sets to try next.
///
/// First the search tries the values in the policy. Then it varies each parameter alone. Then it combines
/// parameters, as the results of the single changes suggest. Then it tries neighbours of the frontier at
/// decreasing distances. After each round of neighbours, it tries combinations around the centre of this
/// round.
///
/// The search is deterministic: equal trials lead to equal parameter sets. A parameter set is a list of
/// indexes, one into the choices of each parameter. No set is tried twice.
struct TuningSearch {
  /// The number of choices of each parameter.
  let counts: [Int]
  /// For each parameter, the index of the value in the policy.
  let written: [Int]
  private let budget: Int
  private var requestedSets: Set<[Int]> = []
  /// For each parameter set, the number of distances at which its neighbours were tried.
  private var levels: [[Int]: Int] = [:]
  private var phase = Phase.written

  private enum Phase {
    case written, alone, near
    case together(around: [Int])
  }

  init(counts: [Int], written: [Int], budget: Int) {
    precondition(counts.count == written.count, "every parameter has a written value")
    self.counts = counts
    self.written = written
    self.budget = budget
  }

  /// Returns the parameter sets to try next, within the budget. Empty when the search is over.
  mutating func next(after trials: [TuningTrial]) -> [[Int]] {
    while requestedSets.count < budget {
      let wanted: [[Int]]
      switch phase {
      case .written:
        wanted = [written]
        phase = .alone
      case .alone:
        wanted = singleChanges()
        phase = .together(around: written)
      case .together(let center):
        wanted = combinations(trials, around: center, most: center == written ? max(budget / 4, 2) : 4)
        phase = .near
      case .near:
        guard let (center, found) = neighbours(trials) else { return [] }
        wanted = found
        phase = .together(around: center)
      }
      let fresh = admitUntested(wanted)
      if !fresh.isEmpty { return fresh }
    }
    return []
  }

  /// Returns the parameter sets that were not requested before, within the budget, and records them as
  /// requested.
  private mutating func admitUntested(_ wanted: [[Int]]) -> [[Int]] {
    var fresh: [[Int]] = []
    for place in wanted
    where requestedSets.count < budget && requestedSets.insert(place).inserted { fresh.append(place) }
    return fresh
  }

  // MARK: Single parameters

  /// Returns parameter sets that each vary one parameter over its range; the other parameters have their
  /// values in the policy. Each parameter gets an equal share of half of the budget, but at least 2 and
  /// at most 12 sets.
  private func singleChanges() -> [[Int]] {
    let steps = min(max(budget / (2 * max(counts.count, 1)), 2), 12)
    var found: [[Int]] = []
    for step in 0..<steps {
      for (axis, count) in counts.enumerated() {
        var place = written
        place[axis] = (step * (count - 1) + (steps - 1) / 2) / (steps - 1)
        found.append(place)
      }
    }
    return found
  }

  // MARK: Combinations

  /// The change of energy and quality when one parameter of a set changes.
  private struct Move {
    var axis: Int
    var place: Int
    var energy: Double
    var quality: Double
  }

  /// The cheapest combination when one unit of quality has a given price. The prediction assumes that the
  /// effects of single changes add up.
  private struct Guess {
    var place: [Int]
    /// The predicted gain in energy times the predicted gain in quality, over the values in the policy. Zero
    /// unless both gains are positive.
    var gain: Double
    /// The magnitude of the predicted difference from the quality of the values in the policy.
    var miss: Double
  }

  /// Returns the best guesses, at most one for each price. Guesses that would improve both energy and quality
  /// over the values in the policy come first, the largest gain first. Then follow the other guesses; the
  /// guess whose quality is closest to that of the values in the policy comes first.
  private func combinations(_ trials: [TuningTrial], around center: [Int], most: Int) -> [[Int]] {
    guard let base = trials.first(where: { $0.place == center }),
      let writtenScore = trials.first(where: { $0.place == written })?.score
    else { return [] }
    let moves = Self.moves(trials, from: base)
    let prices = Set(moves.compactMap { $0.energy * $0.quality > 0 ? $0.energy / $0.quality : nil }).sorted()
    var found: [Guess] = []
    // The best combination changes only at these prices, so one price between two neighbouring prices is
    // enough.
    for price in zip(prices, prices.dropFirst() + prices.suffix(1)).map({ ($0 + $1) / 2 }) {
      let guess = guess(price, moves, from: base, writtenScore)
      if !requestedSets.contains(guess.place), !found.contains(where: { $0.place == guess.place }) {
        found.append(guess)
      }
    }
    return found.enumerated().sorted { left, right in
      (-left.element.gain, left.element.miss, left.offset) < (
        -right.element.gain, right.element.miss, right.offset
      )
    }.prefix(most).map(\.element.place)
  }

  private func guess(
    _ price: Double, _ moves: [Move], from base: TuningTrial, _ writtenScore: TuningScore
  ) -> Guess {
    var place = base.place
    var saved = Double((writtenScore.energy - base.score.energy).nanojoules)
    var gained = base.score.quality - writtenScore.quality
    for axis in counts.indices {
      guard
        let best = moves.filter({ $0.axis == axis }).min(by: { left, right in
          left.energy - price * left.quality < right.energy - price * right.quality
        }), best.energy - price * best.quality < 0
      else { continue }
      place[axis] = best.place
      saved -= best.energy
      gained += best.quality
    }
    return Guess(place: place, gain: saved > 0 && gained > 0 ? saved * gained : 0, miss: gained.magnitude)
  }

  private static func moves(_ trials: [TuningTrial], from base: TuningTrial) -> [Move] {
    trials.compactMap { trial in
      let moved = base.place.indices.filter { trial.place[$0] != base.place[$0] }
      guard moved.count == 1, let axis = moved.first else { return nil }
      return Move(
        axis: axis, place: trial.place[axis],
        energy: Double((trial.score.energy - base.score.energy).nanojoules),
        quality: trial.score.quality - base.score.quality)
    }
  }

  // MARK: Neighbours

  /// Chooses one parameter set of the frontier and returns its next neighbours. Nil when no neighbours are
  /// left.
  ///
  /// The set with the fewest tried distances is chosen. For this comparison, two distances are added for each
  /// set that does not beat the values in the policy. Among sets with equal counts, the set with the smallest
  /// `distance` is chosen.
  private mutating func neighbours(_ trials: [TuningTrial]) -> (center: [Int], neighbours: [[Int]])? {
    guard let base = trials.first(where: { $0.place == written }) else { return nil }
    let open = TuningFrontier.of(trials).filter { strides(at: levels[$0.place, default: 0]) != nil }
    guard
      let choice = open.min(by: { left, right in
        let distances = (Self.distance(left, base), Self.distance(right, base))
        let rounds = (
          levels[left.place, default: 0] + (distances.0 < 0 ? 0 : 2),
          levels[right.place, default: 0] + (distances.1 < 0 ? 0 : 2)
        )
        return rounds.0 == rounds.1 ? distances.0 < distances.1 : rounds.0 < rounds.1
      }), let strides = strides(at: levels[choice.place, default: 0])
    else { return nil }
    levels[choice.place, default: 0] += 1
    var found: [[Int]] = []
    for (axis, stride) in strides.enumerated() where stride > 0 {
      for step in [-stride, stride] {
        var place = choice.place
        place[axis] = min(max(place[axis] + step, 0), counts[axis] - 1)
        found.append(place)
      }
    }
    return (choice.place, found)
  }

  /// Returns the distances of neighbours at a level; nil when the previous level already had only adjacent
  /// choices.
  private func strides(at level: Int) -> [Int]? {
    let divisor = 8 << level
    let strides = counts.map { max($0 / divisor, 1) }
    let isLast = level > 0 && counts.allSatisfy { $0 / (8 << (level - 1)) <= 1 }
    return isLast ? nil : strides
  }

  /// Returns how far a trial is from beating the values in the policy. The distance is negative for a trial
  /// that beats these values; the magnitude of the distance is then the gain.
  private static func distance(_ trial: TuningTrial, _ base: TuningTrial) -> Double {
    func share(_ part: Double, _ whole: Double) -> Double { whole == 0 ? part : part / whole }
    let energy = share(
      Double((trial.score.energy - base.score.energy).nanojoules), Double(base.score.spent.nanojoules))
    let quality = share(base.score.quality - trial.score.quality, 1 - base.score.quality)
    if energy <= 0, quality <= 0 { return -(energy * quality) - 1e-9 * (energy + quality).magnitude }
    return max(energy, 0) + max(quality, 0)
  }
}
