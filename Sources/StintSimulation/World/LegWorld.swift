import StintFormats
public import StintModel
public import StintUnits

/// A world of legs. Each leg has an activity, a speed, a heading with small random deviations, a sky, and
/// Wi-Fi or no Wi-Fi. After the last leg the phone stays at its position.
public struct LegWorld: WorldSource {
  let start: Instant
  let origin: Coordinate
  let legs: [Leg]
  let seed: UInt64

  /// Makes a world that begins at `start` in `origin`; `seed` determines the deviations of the path.
  public init(start: Instant, origin: Coordinate, legs: [Leg], seed: UInt64) {
    self.start = start
    self.origin = origin
    self.legs = legs.filter { $0.duration > .zero }
    self.seed = seed
  }

  /// Makes the world of a scenario.
  public init(_ scenario: Scenario, seed: UInt64) {
    self.init(start: scenario.start, origin: scenario.origin, legs: scenario.legs, seed: seed)
  }

  public func makeView() throws(Problem) -> any WorldView { LegWorldView(self) }
}

/// Follows the legs of a world, one straight piece at a time. The length of the path does not affect the
/// memory used.
struct LegWorldView: WorldView {
  /// The duration of one straight piece.
  private static let pieceLength = TimeSpan.seconds(20)
  /// The maximum deviation of a piece from the leg's heading, in degrees.
  private static let wander = 12.0

  private let legs: [Leg]
  private let noise: Noise
  private var index = 0
  private var legEnd: Instant
  private var pieceStart: Instant
  private var pieceEnd: Instant
  private var from: Coordinate
  private var to: Coordinate
  private var heading: Double?

  init(_ world: LegWorld) {
    legs = world.legs
    noise = Noise(seed: world.seed, name: "world")
    from = world.origin
    to = world.origin
    pieceStart = world.start
    pieceEnd = world.start
    legEnd = world.start + (world.legs.first?.duration ?? .unlimited)
    layPiece()
  }

  mutating func state(at instant: Instant) -> WorldState {
    while instant >= pieceEnd && pieceEnd != .distantFuture { step() }
    guard legs.indices.contains(index) else { return rest }
    let leg = legs[index]
    var position = from
    if leg.speed > 0, instant > pieceStart {
      position = from.toward(to, fraction: (instant - pieceStart).seconds / (pieceEnd - pieceStart).seconds)
    }
    return WorldState(
      position: position, speed: leg.speed, heading: heading, activity: leg.activity, sky: leg.sky,
      hasWiFi: leg.hasWiFi)
  }

  mutating func nextCoverageChange(after instant: Instant) -> Instant? {
    while instant >= pieceEnd && pieceEnd != .distantFuture { step() }
    guard legs.indices.contains(index) else { return nil }
    let now = legs[index]
    var end = legEnd
    for leg in legs[(index + 1)...] {
      if leg.activity != now.activity || leg.sky != now.sky || leg.hasWiFi != now.hasWiFi { return end }
      end = end + leg.duration
    }
    return now.activity == .still ? nil : end
  }

  /// The state after the last leg.
  private var rest: WorldState {
    WorldState(position: from, sky: legs.last?.sky ?? .open, hasWiFi: legs.last?.hasWiFi ?? false)
  }

  private mutating func step() {
    pieceStart = pieceEnd
    from = to
    if pieceStart >= legEnd {
      index += 1
      legEnd = legs.indices.contains(index) ? legEnd + legs[index].duration : .distantFuture
    }
    layPiece()
  }

  private mutating func layPiece() {
    guard legs.indices.contains(index) else {
      pieceEnd = .distantFuture
      heading = nil
      return
    }
    let leg = legs[index]
    guard leg.speed > 0 else {
      pieceEnd = legEnd
      heading = nil
      return
    }
    pieceEnd = min(legEnd, pieceStart + Self.pieceLength)
    let course = leg.heading + Self.wander * (2 * noise.uniform(pieceStart) - 1)
    let length = leg.speed * (pieceEnd - pieceStart).seconds
    heading = course
    to = from.moved(north: length * cosine(degrees: course), east: length * sine(degrees: course))
  }
}
