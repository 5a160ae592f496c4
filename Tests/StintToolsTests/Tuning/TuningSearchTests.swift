import StintUnits
import Testing

@testable import StintTools

@Suite("The search of a tuning run")
struct TuningSearchTests {
  /// Returns a trial with an energy and a quality that depend on the parameters. Each parameter has a
  /// different price: energy grows with the square of its value, and quality grows linearly.
  private static func score(_ place: [Int]) -> TuningTrial {
    var score = TuningScore()
    var energy = 0
    var missed = 0
    for (axis, value) in place.enumerated() {
      energy += (axis + 1) * value * value
      missed += (5 - axis) * (48 - value)
    }
    score.energy = Energy(nanojoules: Int64(energy))
    score.seconds = 1000
    score.goodSeconds = 1000 - missed
    return TuningTrial(values: place.map { "\($0)" }, place: place, byTrack: [score])
  }

  private static func run(_ counts: [Int], _ written: [Int], budget: Int) -> [TuningTrial] {
    var search = TuningSearch(counts: counts, written: written, budget: budget)
    var trials: [TuningTrial] = []
    while case let places = search.next(after: trials), !places.isEmpty { trials += places.map(score) }
    return trials
  }

  @Test(
    "the search begins with the policy's values, repeats no parameter set, and stays in ranges and budget",
    arguments: [[49], [49, 2], [49, 49, 49], [3, 3], [1, 1], [49, 49, 49, 49, 49, 49]])
  func bounds(counts: [Int]) {
    let written = counts.map { $0 / 2 }
    for budget in [1, 2, 7, 60] {
      let trials = Self.run(counts, written, budget: budget)
      #expect(trials.first?.place == written)
      #expect(trials.count <= budget)
      #expect(Set(trials.map(\.place)).count == trials.count)
      #expect(trials.allSatisfy { zip($0.place, counts).allSatisfy { $0 >= 0 && $0 < $1 } })
      #expect(Self.run(counts, written, budget: budget) == trials)
    }
  }

  @Test("in a small space, the frontier of the search equals the frontier of all parameter sets")
  func smallSpace() {
    for counts in [[3, 3], [5], [2, 2, 2], [1]] {
      var all: [[Int]] = [[]]
      for count in counts { all = all.flatMap { place in (0..<count).map { place + [$0] } } }
      let trials = Self.run(counts, counts.map { _ in 0 }, budget: 1000)
      #expect(trials.count <= all.count)
      #expect(TuningFrontier.of(trials).map(\.score) == TuningFrontier.of(all.map(Self.score)).map(\.score))
    }
  }

  @Test("with 40, 80 or 160 trials, the frontier reaches over half of the possible saving")
  func saving() throws {
    let written = [24, 24, 24, 24]
    let base = Self.score(written).score
    for budget in [40, 80, 160] {
      let frontier = TuningFrontier.of(Self.run([49, 49, 49, 49], written, budget: budget))
      let beaten = frontier.filter { $0.score.quality >= base.quality }
      let energy = beaten.map { $0.score.energy.nanojoules }.min() ?? base.energy.nanojoules
      let share = Double(energy) / Double(base.energy.nanojoules)
      // The lowest energy at the quality of the policy's values is 0.53 of the energy of these values. This
      // follows from Lagrange multipliers.
      #expect(share >= 0.53 && share < 0.75, "\(budget) trials: \(share)")
    }
  }
}
