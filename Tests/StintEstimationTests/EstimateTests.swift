import StintEstimation
import StintModel
import StintUnits
import Testing

/// Tests estimators through their public interface, without a governor.
@Suite struct EstimateTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)
  private static let device = DeviceID("sim.gps")
  private static let paths = ["latitude", "longitude", "accuracy", "speed"]
  private static let vocabulary = Vocabulary(
    manifests: [
      Manifest(
        device: device, kind: .sensor, title: "",
        states: [PowerState(name: "off", power: .zero, isOn: false)],
        facts: paths.map { FactSchema(path: "sim.gps.\($0)", type: .quantity(.none)) })
    ],
    declared: [FactSchema(path: "motion.activity", type: .symbol(["still", "walking"]))])
  private static let validity = ComputedFact.Source.respite(device, bound: 50)
  private static let spread = ComputedFact.Source.observed(.spread(device, .minutes(10)))

  /// Returns the facts of a fix at this second of a walk at 1.4 m/s.
  private func facts(at second: Int64) throws -> FactTable {
    var facts = FactTable(count: Self.vocabulary.facts.count)
    let instant = Self.start + .seconds(second)
    let origin = try #require(Coordinate(latitude: 47, longitude: 8))
    let place = origin.moved(north: 1.4 * Double(second), east: 0)
    for (path, value) in zip(Self.paths, [place.latitude, place.longitude, 10, 1.4]) {
      facts.set(try #require(Self.vocabulary.fact("sim.gps.\(path)")), .number(value), at: instant)
    }
    facts.set(try #require(Self.vocabulary.fact("motion.activity")), .symbol(1), at: instant)
    return facts
  }

  @Test(
    "a validity counts down from a delivery, and the next timer is the instant at which it falls to a limit"
  )
  func validity() throws {
    var estimate = try #require(Estimate(Self.validity, limits: [5], in: Self.vocabulary))
    #expect(estimate.device == Self.vocabulary.device(Self.device))
    #expect(estimate.facts.count == 2)
    estimate.read(try facts(at: 0), isOn: true, at: Self.start)
    #expect(estimate.value(at: Self.start) == .unknown)
    #expect(estimate.next(after: Self.start) == .distantFuture)
    estimate.delivers(at: Self.start)
    guard case .number(let seconds) = estimate.value(at: Self.start) else {
      Issue.record("a delivered position has a validity")
      return
    }
    #expect((20...30).contains(seconds))
    let next = estimate.next(after: Self.start)
    #expect(abs((next - Self.start).seconds - (seconds - 5)) < 0.001)
    #expect(estimate.next(after: next + .seconds(1)) == .distantFuture)
  }

  @Test("the spread depends on positions only, and is unknown until the window is full")
  func spread() throws {
    var estimate = try #require(Estimate(Self.spread, in: Self.vocabulary))
    #expect(estimate.device == nil)
    for second in stride(from: Int64(0), through: 600, by: 30) {
      let now = Self.start + .seconds(second)
      estimate.read(try facts(at: second), isOn: false, at: now)
      #expect((estimate.value(at: now) == .unknown) == (second < 600))
    }
    guard case .number(let metres) = estimate.value(at: Self.start + .seconds(600)) else {
      Issue.record("a full window has a spread")
      return
    }
    #expect(abs(metres - 840) < 1)
  }

  @Test("an estimator continues the state of a former estimator of the same fact, with new limits")
  func continuing() throws {
    var former = try #require(Estimate(Self.validity, limits: [5], in: Self.vocabulary))
    former.read(try facts(at: 0), isOn: true, at: Self.start)
    former.delivers(at: Self.start)
    let same = try #require(Estimate(Self.validity, limits: [9], in: Self.vocabulary)).continuing(former)
    #expect(same.value(at: Self.start) == former.value(at: Self.start))
    #expect(same.next(after: Self.start) == former.next(after: Self.start) - .seconds(4))
    let other = try #require(Estimate(.respite(Self.device, bound: 100), in: Self.vocabulary))
    #expect(other.continuing(former).value(at: Self.start) == .unknown)
    #expect(try #require(Estimate(Self.spread, in: Self.vocabulary)).continuing(former).device == nil)
  }

  @Test("no estimator exists for a device without positions, or for a fact that is not an estimate")
  func none() {
    let empty = Vocabulary(manifests: [])
    #expect(Estimate(Self.validity, in: empty).map(\.facts) == nil)
    #expect(Estimate(Self.spread, in: empty).map(\.facts) == nil)
    #expect(Estimate(.unexplained, in: Self.vocabulary).map(\.facts) == nil)
  }
}
