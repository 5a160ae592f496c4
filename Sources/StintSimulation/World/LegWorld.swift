public import StintFormats
public import StintModel
public import StintUnits

/// A world made of legs: each with an activity, a speed, a heading that wanders gently about its course, and a
/// sky. After the last leg the phone rests where it is.
public struct LegWorld: WorldSource {
  let start: Instant
  let origin: Coordinate
  let legs: [Leg]
  let seed: UInt64

  /// Makes a world that begins at `start` in `origin`; `seed` decides how the way wanders.
  public init(start: Instant, origin: Coordinate, legs: [Leg], seed: UInt64) {
    self.start = start
    self.origin = origin
    self.legs = legs.filter { $0.duration > .zero }
    self.seed = seed
  }

  /// The world of a scenario.
  public init(_ scenario: Scenario, seed: UInt64) {
    self.init(start: scenario.start, origin: scenario.origin, legs: scenario.legs, seed: seed)
  }

  public func makeView() throws(FormatError) -> any WorldView { LegWorldView(self) }
}
