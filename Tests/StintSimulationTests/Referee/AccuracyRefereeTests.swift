import StintModel
import StintSimulation
import StintUnits
import Testing

@Suite struct AccuracyRefereeTests {
  private let start = Laboratory.start
  private let legs: [Leg] = [.moving(.walking, .seconds(100), speed: 2, heading: 0), .resting(.seconds(100))]

  private var world: LegWorld {
    LegWorld(start: start, origin: Laboratory.origin, legs: legs, seed: 1)
  }

  /// Returns fixes at the given seconds, each with an error of `error` metres.
  private func batch(_ seconds: [Int64], error: Double) throws -> Batch {
    var view = try world.makeView()
    let samples = seconds.enumerated().map { place, second in
      let truth = view.state(at: start + .seconds(second)).position.moved(north: 0, east: error)
      return Sample(
        instant: start + .seconds(second), sequence: UInt64(place), truth.latitude, truth.longitude)
    }
    return Batch(device: "location.gnss", samples: samples, reason: .immediate)
  }

  @Test("the score contains the errors of the fixes and the longest gap between them")
  func errorsAndGaps() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start)
    referee.deliver(try batch([0, 1, 2, 30, 31], error: 4))
    referee.stop(at: start + .seconds(200))
    let score = referee.score
    #expect(score.fixes == 5 && score.late == 0)
    #expect(abs((score.median ?? 0) - 4) < 0.11 && abs((score.percentile95 ?? 0) - 4) < 0.11)
    #expect(score.worstGap == .seconds(28))
  }

  @Test("a second of movement is within the bound when the distance to the last fix is at most the bound")
  func withinBound() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start)
    referee.deliver(try batch([0, 50], error: 0))
    referee.stop(at: start + .seconds(200))
    let score = referee.score
    // At 2 m/s, each of the two fixes is within 10 m for six seconds: its own second and the next five
    // seconds.
    #expect(score.movingSeconds == 100)
    #expect(score.withinBound == 0.12)
  }

  @Test("a fix counts from the instant of its measurement, even if it is delivered late")
  func lateDelivery() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start)
    referee.deliver(try batch(Array(0...199), error: 1))
    referee.stop(at: start + .seconds(200))
    #expect(referee.score.withinBound == 1)
  }

  @Test("seconds before the first fix are beyond the bound")
  func beforeFirstFix() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start)
    referee.deliver(try batch(Array(47...99), error: 1))
    referee.stop(at: start + .seconds(200))
    #expect(referee.score.withinBound == 0.53)
  }

  @Test("only the time of the demand is scored")
  func demandTime() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start + .milliseconds(20_500))
    referee.deliver(try batch(Array(20...40), error: 1))
    referee.stop(at: start + .seconds(41))
    referee.stop(at: start + .seconds(200))
    #expect(referee.score.movingSeconds == 20)
    #expect(referee.score.withinBound == 1)
  }

  @Test("a fix that arrives after a newer fix is counted as late, not as a fix")
  func lateFix() throws {
    var referee = try AccuracyReferee(world: world, bound: 10)
    referee.begin(at: start)
    referee.deliver(try batch([50], error: 1))
    referee.deliver(try batch([40, 60], error: 1))
    #expect(referee.score.late == 1 && referee.score.fixes == 2)
    #expect(referee.score.worstGap == .seconds(10))
  }

  @Test("without a bound and without fixes, the share within the bound and the median error are nil")
  func nothingToScore() throws {
    var referee = try AccuracyReferee(world: world, bound: nil)
    referee.begin(at: start)
    referee.stop(at: start + .seconds(200))
    #expect(referee.score.withinBound == nil && referee.score.median == nil)
    #expect(referee.score.worstGap == .zero)
  }
}
