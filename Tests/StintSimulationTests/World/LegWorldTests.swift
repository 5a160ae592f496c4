import StintModel
import StintSimulation
import StintUnits
import Testing

@Suite struct LegWorldTests {
  private let start = Laboratory.start

  private func view(_ legs: [Leg], seed: UInt64 = 1) throws -> any WorldView {
    try LegWorld(start: start, origin: Laboratory.origin, legs: legs, seed: seed).makeView()
  }

  @Test("the length of the path is speed times time, even with deviations from the straight line")
  func length() throws {
    var view = try view([.moving(.walking, .minutes(10)), .moving(.automotive, .minutes(10), speed: 20)])
    var metres = 0.0
    var last = view.state(at: start).position
    for second in 1...1200 as ClosedRange<Int64> {
      let next = view.state(at: start + .seconds(second)).position
      metres += last.distance(to: next)
      last = next
    }
    // The path changes its direction only at whole seconds here. So the straight lines between the positions
    // are as long as the path.
    #expect(abs(metres - (600 * 1.4 + 600 * 20)) < 0.5, "\(metres)")
  }

  @Test("a walk of an hour ends within 300 m of the end of its straight course")
  func course() throws {
    var view = try view([.moving(.walking, .hours(1), heading: 90)])
    let end = view.state(at: start + .hours(1)).position
    let straight = Laboratory.origin.moved(north: 0, east: 5040)
    #expect(end.distance(to: straight) < 300)
  }

  @Test("the state and the coverage changes follow the legs (sections) of the scenario")
  func legs() throws {
    var view = try view([
      .resting(.minutes(5), sky: .indoors, hasWiFi: true), .moving(.walking, .minutes(5)),
      .moving(.walking, .minutes(5), speed: 1), .moving(.automotive, .minutes(5), speed: 9, sky: .street),
    ])
    let first = view.state(at: start)
    #expect(first.sky == .indoors && first.hasWiFi && first.speed == 0 && first.heading == nil)
    #expect(view.nextCoverageChange(after: start) == start + .minutes(5))
    let second = view.state(at: start + .minutes(5))
    #expect(second.activity == .walking && second.sky == .open && !second.hasWiFi && second.heading != nil)
    #expect(
      view.nextCoverageChange(after: start + .minutes(5)) == start + .minutes(15),
      "two legs with equal sky, activity and network have no coverage change between them")
    #expect(view.state(at: start + .minutes(12)).speed == 1)
    #expect(view.state(at: start + .minutes(16)).sky == .street)
    #expect(view.nextCoverageChange(after: start + .minutes(16)) == start + .minutes(20))
    let after = view.state(at: start + .hours(5))
    #expect(after.activity == .still && after.sky == .street && after.speed == 0)
    #expect(view.nextCoverageChange(after: start + .hours(5)) == nil)
  }

  @Test("a world without legs rests at the origin")
  func noLegs() throws {
    var view = try view([])
    #expect(view.state(at: start + .hours(100)) == WorldState(position: Laboratory.origin))
    #expect(view.nextCoverageChange(after: start) == nil)
  }

  @Test("a state does not depend on the other instants that a view has computed")
  func views() throws {
    let legs: [Leg] = [
      .moving(.walking, .minutes(30)), .resting(.minutes(3)), .moving(.cycling, .hours(1), speed: 5),
    ]
    var fine = try view(legs)
    var coarse = try view(legs)
    for second in 0..<6000 as Range<Int64> {
      let state = fine.state(at: start + .seconds(second))
      if second % 977 == 0 { #expect(coarse.state(at: start + .seconds(second)) == state) }
    }
    var other = try view(legs, seed: 2)
    #expect(other.state(at: start + .minutes(20)) != coarse.state(at: start + .minutes(100)))
  }
}
