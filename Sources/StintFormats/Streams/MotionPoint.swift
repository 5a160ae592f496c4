public import StintUnits

/// One row of a recorded acceleration, gravity included, in metres a second squared.
public struct MotionPoint: Hashable, Sendable {
  /// Since the start of the record; never falls.
  public var time: TimeSpan
  public var x: Double
  public var y: Double
  public var z: Double
  /// How the carrier moved, in the words of the source.
  public var label: String?

  /// Makes a point.
  public init(time: TimeSpan, x: Double, y: Double, z: Double, label: String? = nil) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
    self.label = label
  }
}
