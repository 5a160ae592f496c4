import StintModel
import StintSimulation
import StintUnits
import Testing

@testable import StintTools

@Suite("Quality of delivered positions for each second")
struct PositionJudgeTests {
  private let start = Instant(nanoseconds: 1_779_062_400_000_000_000)
  private let demand = Demand(
    id: DemandID(1), client: "app", target: "location.gnss", wants: DemandSettings(accuracy: 10))

  /// A walk of 100 s at 2 m/s, then 100 s of rest.
  private var world: LegWorld {
    guard let origin = Coordinate(latitude: 47.05, longitude: 8.31) else { preconditionFailure("no place") }
    return LegWorld(
      start: start, origin: origin,
      legs: [
        Leg(activity: .walking, duration: .seconds(100), speed: 2, heading: 0, sky: .open),
        Leg(activity: .still, duration: .seconds(100), speed: 0, heading: 0, sky: .open),
      ], seed: 1)
  }

  private func judge(_ bound: Double? = nil) -> PositionJudge {
    PositionJudge(world: world, clients: ["app"], bound: bound)
  }

  /// Returns fixes without an error at the given seconds.
  private func batch(_ seconds: [Int64]) throws -> Batch {
    var view = try world.makeView()
    let samples = seconds.enumerated().map { place, second in
      let truth = view.state(at: start + .seconds(second)).position
      return Sample(
        instant: start + .seconds(second), sequence: UInt64(place), truth.latitude, truth.longitude)
    }
    return Batch(device: "location.gnss", samples: samples, reason: .immediate)
  }

  private func at(_ second: Int64) -> Instant { start + .seconds(second) }

  @Test("a fix is good after its delivery, while the true position is within the bound")
  func held() throws {
    let judge = judge()
    judge.raised(demand, at: start)
    judge.delivered(try batch([0]), to: demand, at: at(2))
    judge.delivered(try batch([50]), to: demand, at: at(53))
    let score = judge.score(at: at(100))
    #expect(score.seconds == 100)
    // A fix is good for five seconds after its measurement, because 2 m/s give 10 m. The first fix is
    // delivered at 2 s and good until 5 s. The second fix is delivered at 53 s and good until 55 s.
    #expect(score.goodSeconds == 4 + 3)
    #expect(score.errorSeconds == 98)
  }

  @Test("queued fixes count only after their delivery, and only the newest of them counts")
  func queued() throws {
    let judge = judge()
    judge.raised(demand, at: start)
    judge.delivered(try batch(Array(0...60)), to: demand, at: at(60))
    // A fix that is older and late does not replace a newer fix.
    judge.delivered(try batch([10]), to: demand, at: at(62))
    #expect(judge.score(at: at(100)).goodSeconds == 6)
  }

  @Test("seconds of rest count like seconds of movement, and a fix stays good during the rest")
  func still() throws {
    let judge = judge()
    judge.raised(demand, at: at(100))
    judge.delivered(try batch([120]), to: demand, at: at(120))
    let score = judge.score(at: at(200))
    #expect(score.seconds == 100 && score.goodSeconds == 80)
    #expect((score.meanError ?? 1) < 0.01)
  }

  @Test(
    "only the time of a demand is scored, with the accuracy of the demand or with the given bound")
  func asked() throws {
    for (bound, good) in [(nil, 6), (20, 11), (1, 1)] as [(Double?, Int)] {
      let judge = judge(bound)
      judge.raised(demand, at: start)
      judge.delivered(try batch([0]), to: demand, at: start)
      judge.released(demand, at: at(30))
      judge.delivered(try batch([40]), to: demand, at: at(40))
      let score = judge.score(at: at(200))
      #expect(score.seconds == 30 && score.goodSeconds == good)
    }
  }

  @Test("demands of a policy, demands for other sensors and demands without an accuracy are not scored")
  func others() {
    let judge = judge()
    judge.raised(
      Demand(id: DemandID(2), client: "policy", target: "location.gnss", wants: DemandSettings(accuracy: 5)),
      at: start
    )
    judge.raised(
      Demand(id: DemandID(3), client: "app", target: "motion.accelerometer", wants: DemandSettings()),
      at: start)
    judge.raised(
      Demand(id: DemandID(4), client: "app", target: "location.gnss", wants: DemandSettings()), at: start)
    #expect(!judge.score(at: at(100)).isJudged)
  }
}
