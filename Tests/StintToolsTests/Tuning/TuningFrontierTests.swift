import StintUnits
import Testing

@testable import StintTools

@Suite("The Pareto frontier of a tuning run")
struct TuningFrontierTests {
  /// Returns a trial with an energy in nanojoules, and a quality in tenths.
  static func trial(_ energy: Int, _ tenths: Int, place: [Int]) -> TuningTrial {
    var score = TuningScore()
    score.energy = Energy(nanojoules: Int64(energy))
    score.seconds = 10
    score.goodSeconds = tenths
    return TuningTrial(values: place.map { "\($0)" }, place: place, byTrack: [score])
  }

  @Test("the frontier of up to three points contains each point that no other point beats, sorted by energy")
  func exhaustive() {
    let grid = (0..<9).map { (energy: 1 + $0 % 3, quality: $0 / 3) }
    for count in 0...3 {
      var lists: [[Int]] = [[]]
      for _ in 0..<count { lists = lists.flatMap { list in (0..<9).map { list + [$0] } } }
      for list in lists {
        let trials = list.enumerated().map {
          Self.trial(grid[$0.element].energy, grid[$0.element].quality, place: [$0.offset])
        }
        let frontier = TuningFrontier.of(trials)
        let expected = trials.enumerated().filter { place, trial in
          !trials.contains { $0.score.isBetter(trial.score) }
            && !trials[..<place].contains { $0.score.equals(trial.score) }
        }.map(\.element).sorted { $0.score.energy < $1.score.energy }
        #expect(frontier == expected)
      }
    }
  }

  @Test("a point beats another point only when one value is better and the other value is not worse")
  func beats() {
    let points = (0..<9).map { Self.trial($0 % 3, $0 / 3, place: [$0]).score }
    for left in points {
      for right in points {
        let isBetter =
          left.energy <= right.energy && left.goodSeconds >= right.goodSeconds && !left.equals(right)
        #expect(left.isBetter(right) == isBetter)
        #expect(!(left.isBetter(right) && right.isBetter(left)))
      }
    }
  }

  @Test(
    "the choice has the largest product of both gains; without two gains, it has the largest gain")
  func choice() {
    let written = Self.trial(100, 5, place: [0])
    func choice(_ points: [(Int, Int)]) -> [Int]? {
      let trials = points.enumerated().map { Self.trial($0.element.0, $0.element.1, place: [$0.offset + 1]) }
      return TuningFrontier.choice(among: [written] + trials, over: written)?.place
    }
    #expect(choice([]) == nil)
    #expect(choice([(101, 9), (99, 4), (100, 5)]) == nil)
    #expect(choice([(60, 5), (70, 7), (99, 9)]) == [2])
    #expect(choice([(60, 5), (80, 5)]) == [1])
    #expect(choice([(100, 6), (100, 8)]) == [2])
  }

  @Test("the score of several tracks weights each track by its time")
  func sum() {
    var long = TuningScore()
    (long.seconds, long.goodSeconds, long.errorSum, long.errorSeconds) = (90, 90, 90, 90)
    (long.energy, long.floor) = (Energy(nanojoules: 50), Energy(nanojoules: 20))
    var short = TuningScore()
    (short.seconds, short.goodSeconds, short.errorSum, short.errorSeconds) = (10, 0, 110, 10)
    let sum = TuningScore.sum([long, short])
    #expect(sum.quality == 0.9 && sum.meanError == 2 && sum.spent == Energy(nanojoules: 30))
    #expect(TuningScore().quality == 1 && TuningScore().meanError == nil && !TuningScore().isJudged)
    var transfers = TuningScore()
    (transfers.transfers, transfers.lateTransfers) = (10, 1)
    #expect(transfers.quality == 0.9 && transfers.isJudged)
  }
}
