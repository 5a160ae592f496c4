import StintModel
import StintServices
import StintSimulation
import StintUnits

/// A path that crosses the border of a region twenty times; one exit and one entry are by car.
///
/// Each of the ten passes begins outside and leads to the centre, where the phone rests. Then the pass
/// continues straight ahead to a point outside, where the phone rests again. The rests last 6 or 20 minutes,
/// and two of them last three hours. The phone rests indoors, in a street and under the open sky in turn.
struct RegionWalk {
  /// One true passage of the border.
  struct Passage: Sendable {
    var second: Double
    var isEntry: Bool
  }

  /// The distance from the border to the points outside, in metres: on foot, and by car.
  static let beyond = (onFoot: 300.0, byCar: 4000.0)

  let origin: Coordinate
  let centre: Coordinate
  let radius: Double
  let seed: UInt64
  private(set) var legs: [Leg] = []
  private(set) var seconds = 0.0

  /// Makes the path around a region of this radius, in metres. The phone starts outside.
  init(origin: Coordinate, radius: Double, seed: UInt64) throws {
    self.origin = origin
    centre = origin.moved(north: radius + Self.beyond.onFoot, east: 0)
    self.radius = radius
    self.seed = seed
    let skies: [Leg.Sky] = [.indoors, .street, .open]
    add(PlacesWorld.rest(6))
    for pass in 0..<10 {
      let sky = skies[pass % 3]
      // The fifth pass leaves by car, and the sixth arrives by car.
      try travel(to: centre, isByCar: pass == 5)
      // After a rest of three hours, the stored satellite orbits of a receiver are no longer valid. So its
      // next start is cold.
      add(PlacesWorld.rest(pass == 6 ? 180 : pass.isMultiple(of: 2) ? 20 : 6, sky: sky))
      let beyond = radius + (pass == 4 ? Self.beyond.byCar : Self.beyond.onFoot)
      try travel(
        to: centre.moved(north: pass.isMultiple(of: 2) ? beyond : -beyond, east: 0), isByCar: pass == 4)
      add(PlacesWorld.rest(pass == 8 ? 180 : pass.isMultiple(of: 2) ? 6 : 20, sky: sky))
    }
  }

  /// Returns the true passages of the border, to the second.
  func passages() throws -> [Passage] {
    var view = try world.makeView()
    var result: [Passage] = []
    var wasInside = false
    for second in 0..<Int(seconds) {
      let place = view.state(at: Phone.start + .seconds(Int64(second))).position
      let isInside = centre.distance(to: place) <= radius
      if isInside != wasInside { result.append(Passage(second: Double(second), isEntry: isInside)) }
      wasInside = isInside
    }
    return result
  }

  private var world: LegWorld { LegWorld(start: Phone.start, origin: origin, legs: legs, seed: seed) }

  private mutating func add(_ leg: Leg) {
    legs.append(leg)
    seconds += leg.duration.seconds
  }

  /// Adds legs from the true end of the path to a point. The path deviates at random from the heading of a
  /// leg. So each leg aims at the point again, and the legs become shorter near the point.
  private mutating func travel(to target: Coordinate, isByCar: Bool) throws {
    let speed = isByCar ? 60 / 3.6 : 1.4
    while true {
      var view = try world.makeView()
      let here = view.state(at: Phone.start + .of(seconds: seconds)).position
      let left = here.distance(to: target) / speed
      guard left >= 1 else { return }
      let north = target.latitude - here.latitude
      let east = (target.longitude - here.longitude) * cosine(degrees: here.latitude)
      let headings = stride(from: 0.0, to: 360, by: 1)
      func progress(_ heading: Double) -> Double {
        cosine(degrees: heading) * north + sine(degrees: heading) * east
      }
      let heading = headings.max { progress($0) < progress($1) } ?? 0
      let duration = left < 8 ? Int64(left) : Int64(min(left / 2, 60))
      add(
        isByCar
          ? PlacesWorld.drive(duration, heading: heading)
          : PlacesWorld.walk(seconds: duration, heading: heading))
    }
  }
}
