import StintModel
import StintUnits
import Testing

@testable import StintServices

/// Tests how `RegionProbePlan` chooses the device and the time of position probes, without a board.
@Suite("Region probe plan") struct RegionProbePlanTests {
  private static let sources = [
    source("location.cell", radius: 3000, millijoules: 50),
    source("location.wifi", radius: 100, millijoules: 600),
    source("location.gnss", radius: 5, millijoules: 6750),
  ]

  private static func source(_ device: DeviceID, radius: Double, millijoules: Int128) -> PositionSource {
    PositionSource(
      Manifest(
        device: device, kind: .sensor, title: "",
        ladder: LadderRank(name: "location", rank: 0, serves: radius),
        states: [PowerState(name: "off", power: .zero, isOn: false)],
        events: [PricedEvent(name: "fix", energy: Energy(nanojoules: millijoules * 1_000_000))]))
  }

  private static func watch(_ radius: Double, isInside: Bool? = false) -> RegionWatch {
    var watch = RegionWatch(Region("depot", centre: PlacesBench.origin, radius: .meters(radius)))
    watch.crossing.restore(isInside: isInside, candidate: nil, lastFix: nil)
    return watch
  }

  private static func second(_ second: Int64) -> Instant { Instant.epoch + .seconds(second) }

  /// Returns a plan that has just probed a device; the found position is `north` metres from the centre.
  private func plan(
    _ source: PositionSource, north: Double, accuracy: Double, _ watches: [RegionWatch],
    at second: Int64 = 1000
  ) -> RegionProbePlan {
    var plan = RegionProbePlan()
    let now = Self.second(second)
    plan.note(MovementDetector(), at: now)
    plan.began(at: now)
    plan.succeeded(source)
    let place = PlacesBench.origin.moved(north: north, east: 0)
    _ = plan.ingest(
      Fix(instant: now, coordinate: place, accuracy: accuracy, device: source.device), watches, at: now)
    return plan
  }

  @Test("the first probe uses the cheapest device, at once")
  func first() {
    let plan = RegionProbePlan()
    let watches = [Self.watch(60, isInside: nil)]
    #expect(plan.due(watches, Self.sources, at: Self.second(5)) == Self.second(5))
    #expect(plan.source(watches, Self.sources, at: Self.second(5))?.device == "location.cell")
  }

  @Test(
    "far from the border, the cheapest device probes next, after the time to the border at the highest speed"
  )
  func far() {
    let watches = [Self.watch(60)]
    let plan = plan(Self.sources[0], north: 22_060, accuracy: 2000, watches)
    // The border is at least 20 km away, which takes 500 s at 40 m/s.
    #expect(plan.due(watches, Self.sources, at: Self.second(1000)) == Self.second(1500))
    #expect(plan.source(watches, Self.sources, at: Self.second(1500))?.device == "location.cell")
  }

  @Test(
    "a finer device follows at once only when the coarser position leaves the border undecided",
    arguments: [(5000.0, nil), (1000, "location.wifi")] as [(Double, DeviceID?)])
  func finer(north: Double, expected: DeviceID?) {
    let watches = [Self.watch(60)]
    let plan = plan(Self.sources[0], north: north, accuracy: 2000, watches)
    let now = Self.second(1000)
    #expect((plan.due(watches, Self.sources, at: now) == now) == (expected != nil))
    if let expected { #expect(plan.source(watches, Self.sources, at: now)?.device == expected) }
  }

  @Test(
    "inside a region of 60 m, a satellite fix is needed only after a Wi-Fi position beyond the border",
    arguments: [(40.0, false), (80, true)])
  func inside(north: Double, follows: Bool) {
    let watches = [Self.watch(60, isInside: true)]
    let plan = plan(Self.sources[1], north: north, accuracy: 90, watches)
    let now = Self.second(1000)
    #expect((plan.due(watches, Self.sources, at: now) == now) == follows)
    #expect((plan.source(watches, Self.sources, at: now)?.device == "location.gnss") == follows)
  }

  @Test("a device that failed is not probed again within five minutes; another device is used meanwhile")
  func failure() {
    let watches = [Self.watch(60, isInside: true)]
    var plan = plan(Self.sources[1], north: 80, accuracy: 90, watches)
    plan.began(at: Self.second(1000))
    plan.failed(Self.sources[2], at: Self.second(1001))
    #expect(plan.source(watches, Self.sources, at: Self.second(1002))?.device == "location.wifi")
    #expect(plan.canProbe(Self.sources, at: Self.second(1002)))
    #expect(!plan.canProbe([Self.sources[2]], at: Self.second(1300)))
    #expect(plan.canProbe([Self.sources[2]], at: Self.second(1301)))
  }

  @Test(
    "the mean of fixes at rest is at most twice as accurate as the best fix; a contradicting fix resets it")
  func mean() {
    func fix(_ north: Double, _ accuracy: Double) -> Fix {
      Fix(
        instant: .epoch, coordinate: PlacesBench.origin.moved(north: north, east: 0), accuracy: accuracy,
        device: "location.wifi")
    }
    var rest = RestPosition(fix(30, 90))
    rest.ingest(fix(-30, 90))
    #expect(abs(rest.mean.accuracy - 90 / 2.0.squareRoot()) < 1e-6)
    #expect(rest.mean.coordinate.distance(to: PlacesBench.origin) < 0.1)
    for _ in 0..<7 { rest.ingest(fix(0, 90)) }
    #expect(rest.mean.accuracy == 45)
    rest.ingest(fix(500, 60))
    #expect(rest.mean == fix(500, 60))
  }
}
