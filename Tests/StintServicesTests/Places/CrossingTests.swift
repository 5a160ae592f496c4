import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite("Region crossings") struct CrossingTests {
  private static let depot = Region("depot", centre: PlacesBench.origin, radius: .meters(150))

  /// Passes a fix with a 95 % radius of 30 m to a `Crossing` every five seconds. Returns the numbers of
  /// entries and exits. `distance` gives the host's distance from the centre in metres at a second.
  private func counts(seconds: Int, seed: UInt64, distance: (Double) -> Double) -> (entered: Int, exited: Int)
  {
    var random = SeededRandom(seed)
    var crossing = Crossing(enterAfter: .seconds(20), exitAfter: .seconds(60), memory: .unlimited)
    var entered = 0
    var exited = 0
    var unpaired = 0
    for second in 0..<seconds {
      let now = Instant(nanoseconds: Int64(second) * 1_000_000_000)
      if second.isMultiple(of: 5) {
        let noise = 30 / 2.42
        let north = distance(Double(second)) + noise * random.normal()
        let east = noise * random.normal()
        crossing.ingest(
          distance: (north * north + east * east).squareRoot(), accuracy: 30, ofCircle: 150, at: now)
      }
      crossing.advance(at: now)
      if crossing.pulse == .enter { entered += 1 }
      if crossing.pulse == .exit { exited += 1 }
      if !(0...1).contains(entered - exited) { unpaired += 1 }
      crossing.endPulse()
    }
    // If the host starts inside or near the circle, its first exit may have no entry before it.
    #expect(unpaired == 0 || distance(0) < 300)
    return (entered, exited)
  }

  @Test(
    "R01 W11: 50 noisy passes through a region give 50 entries and 50 exits",
    arguments: Trials(20, fewest: 5).seeds
  )
  func crossings(seed: UInt64) {
    // The host moves from 400 m to the centre and back, ten minutes each way.
    let counts = counts(seconds: 50 * 1200, seed: seed) { second in
      let phase = second.truncatingRemainder(dividingBy: 1200)
      return phase < 600 ? 400 - phase * 400 / 600 : (phase - 600) * 400 / 600
    }
    #expect(counts == (50, 50))
  }

  @Test(
    "R01: half an hour at the edge of a region gives at most one entry and one exit",
    arguments: 0..<200 as Range<UInt64>)
  func rim(seed: UInt64) {
    let counts = counts(seconds: 1800, seed: seed) { _ in 150 }
    #expect(counts.entered <= 1 && counts.exited <= 1)
  }

  @Test(
    "R01: the state at the start is reported as known, not as an entry or exit", arguments: [true, false])
  func start(isInside: Bool) {
    var bench = PlacesBench { _ in (isInside ? 0 : 1000, 0, 50) }
    bench.activities = [(0, "still")]
    bench.ask("depot", RegionsRequest([Self.depot]))
    bench.run(to: 3600)
    #expect(bench.notices() == [RegionNotice.known(region: "depot", isInside: isInside)])
  }

  @Test("R01: a circle smaller than the accuracy stays undecided, with probes at growing intervals")
  func tooSmall() {
    var bench = PlacesBench { _ in (0, 0, 60) }
    bench.activities = [(0, "still")]
    bench.ask("door", RegionsRequest([Region("door", centre: PlacesBench.origin, radius: .meters(10))]))
    bench.run(to: 86_400)
    #expect(bench.notices(RegionNotice.self).isEmpty)
    #expect((90...120).contains(bench.fixCount))
  }

  @Test("R01: for each of 300 overlapping circles, the state at the start and one exit are reported")
  func many() {
    let regions = (0..<300).map { number in
      Region("r\(number)", centre: PlacesBench.origin, radius: .meters(200 + Double(number)))
    }
    var bench = PlacesBench { second in (max(0, second - 600) * 1.4, 0, 20) }
    bench.activities = [(0, "still"), (600, "walking"), (2000, "still")]
    bench.ask("all", RegionsRequest(regions))
    bench.run(to: 4000)
    let notices: [RegionNotice] = bench.notices()
    #expect(notices.count == 600)
    #expect(Set(notices.suffix(300)) == Set(regions.map { RegionNotice.exited($0.name) }))
  }

  @Test(
    "R01: invalid regions are rejected before any device is powered",
    arguments: [
      [], [Region("a", centre: PlacesBench.origin, radius: .meters(0.5))],
      [Region("a", centre: PlacesBench.origin, radius: .meters(.nan))],
      [Region("a", centre: PlacesBench.origin, radius: .meters(9), enterAfter: .seconds(-1))],
      [
        Region("a", centre: PlacesBench.origin, radius: .meters(9)),
        Region("a", centre: PlacesBench.origin, radius: .meters(8)),
      ],
    ])
  func malformed(regions: [Region]) {
    var bench = PlacesBench()
    bench.ask("depot", RegionsRequest(regions))
    #expect(bench.acts == ["refused invalid"])
    #expect(bench.targets.isEmpty)
  }

  @Test("R01: after a restart a missed crossing is reported, and the known state is not repeated")
  func saved() throws {
    var bench = PlacesBench { _ in (0, 0, 50) }
    bench.activities = [(0, "still")]
    bench.ask("depot", RegionsRequest([Self.depot]))
    bench.run(to: 100)
    let saved =
      #"{"regions":[{"region":{"name":"depot","centre":[47.0,8.0],"radius":150.0,"#
      + #""enter_after":"20 s","exit_after":"1 min"},"inside":true}]}"#
    let back = try SavedText.value(RegionsService.self, saved)
    #expect(try SavedText.text(of: back) == saved)
    #expect(back.isValid)
    #expect(try !SavedText.value(RegionsService.self, #"{"regions":[]}"#).isValid)
    var later = PlacesBench { _ in (5000, 0, 50) }
    later.ask("depot", RestoredRequest(service: back))
    later.run(to: 200)
    #expect(later.notices() == [RegionNotice.exited("depot")])
  }
}

/// A request whose service is restored from saved state.
struct RestoredRequest: ServiceRequest {
  var service: any Service
  func makeService() -> any Service { service }
}
