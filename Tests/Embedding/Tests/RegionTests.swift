import Foundation
import Stint
import StintSimulation
import Testing

/// A walk that passes ten times through the centre of a region, alternately in both directions. The phone
/// rests for six minutes at the centre and at each end.
private struct Walk {
  static let speed = 1.4
  let centre: Coordinate
  let radius: Double
  private(set) var legs: [Leg] = []
  private(set) var seconds: Int64 = 0

  init(radius: Double) throws {
    self.radius = radius
    let reach = radius + 300
    func place(north metres: Double) throws -> Coordinate {
      try #require(
        Coordinate(latitude: Kind.home.latitude + metres / 111_195, longitude: Kind.home.longitude))
    }
    centre = try place(north: reach)
    rest()
    for pass in 0..<10 {
      try walk(to: centre)
      rest()
      try walk(to: place(north: pass.isMultiple(of: 2) ? 2 * reach : 0))
      rest()
    }
  }

  var world: LegWorld { LegWorld(start: .epoch, origin: Kind.home, legs: legs, seed: 7) }

  /// The true crossings of the border, to the second.
  func crossings() throws -> [(second: Double, isInside: Bool)] {
    var view = try world.makeView()
    var crossings: [(second: Double, isInside: Bool)] = []
    var wasInside = false
    for second in 0..<seconds {
      let place = view.state(at: .epoch + .seconds(second)).position
      let isInside = centre.distance(to: place) <= radius
      if isInside != wasInside { crossings.append((Double(second), isInside)) }
      wasInside = isInside
    }
    return crossings
  }

  private mutating func rest() { add(Leg(activity: .still, duration: .minutes(6), speed: 0, heading: 0)) }

  /// Adds legs to a point. The path deviates from the heading of a leg, so each leg aims at the point again.
  private mutating func walk(to target: Coordinate) throws {
    while true {
      var view = try world.makeView()
      let here = view.state(at: .epoch + .seconds(seconds)).position
      let left = here.distance(to: target) / Self.speed
      guard left >= 1 else { return }
      let north = target.latitude - here.latitude
      let east = (target.longitude - here.longitude) * cos(here.latitude * .pi / 180)
      add(
        Leg(
          activity: .walking, duration: .seconds(left < 8 ? Int64(left) : Int64(min(left / 2, 60))),
          speed: Self.speed, heading: atan2(east, north) * 180 / .pi))
    }
  }

  private mutating func add(_ leg: Leg) {
    legs.append(leg)
    seconds += leg.duration.nanoseconds / 1_000_000_000
  }
}

/// Regions of several sizes.
@Suite struct RegionTests {
  @Test(
    "R01: twenty of twenty crossings are reported within three minutes, for at most 80 J",
    arguments: [60, 100, 150, 250] as [Double])
  func crossings(radius: Double) async throws {
    let walk = try Walk(radius: radius)
    let scenario = Scenario(
      name: "crossings", start: .epoch, duration: .hours(12),
      devices: ["location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor"],
      origin: Kind.home, legs: walk.legs)
    let phone = ReferencePhone(scenario, seed: 7, meter: EnergyMeter())
    let bus = try await Bus(plugins: .linked(phone.plugins()), clock: .virtual(from: phone.clockStart))
    let app = try await bus.attach("app", authorized: .always)
    let notices = try await app.ask(
      "depot", for: RegionsRequest([Region("depot", centre: walk.centre, radius: .meters(radius))]))
    async let reading: [(second: Double, isInside: Bool)] = {
      var reports: [(second: Double, isInside: Bool)] = []
      for await notice in notices {
        let second = bus.now / .seconds(1)
        switch notice as? RegionNotice {
        case .entered: reports.append((second, true))
        case .exited: reports.append((second, false))
        default: continue
        }
      }
      return reports
    }()
    try await bus.advance(by: .seconds(walk.seconds))
    let energy = await bus.energy()
    await app.end("depot")
    var reports = await reading
    await bus.close()
    let crossings = try walk.crossings()
    let found = crossings.filter { crossing in
      let place = reports.firstIndex { report in
        report.isInside == crossing.isInside
          && (crossing.second...crossing.second + 180).contains(report.second)
      }
      if let place { reports.remove(at: place) }
      return place != nil
    }
    #expect(crossings.count == 20)
    #expect(found.count == 20)
    #expect(reports.isEmpty, "no other report: \(reports)")
    let spent = ["location.cell", "location.wifi", "location.gnss"]
      .compactMap { energy.byDevice[$0] }.reduce(Energy.zero, +)
    #expect(spent <= Energy(nanojoules: 80_000_000_000), "\(spent)")
  }
}
