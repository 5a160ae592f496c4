import StintUnits

/// A rotation from the axes of a device to fixed axes, as a unit quaternion.
public struct Rotation: Hashable, Sendable {
  /// The real part.
  public private(set) var w = 1.0
  /// The imaginary parts.
  public private(set) var vector = SIMD3<Double>.zero

  /// The rotation that changes nothing.
  public static let none = Rotation()

  private init() {}

  private init(_ w: Double, _ vector: SIMD3<Double>) {
    let length = (w * w + (vector * vector).sum()).squareRoot()
    guard length > 0, length.isFinite else { return }
    (self.w, self.vector) = (w / length, vector / length)
  }

  /// Makes the rotation by an angle about an axis.
  ///
  /// - Parameters:
  ///   - degrees: the angle; positive counter-clockwise, when the axis points to the observer.
  ///   - axis: the axis, of any length. An axis of length 0 gives `none`.
  public init(degrees: Double, about axis: SIMD3<Double>) {
    let length = (axis * axis).sum().squareRoot()
    guard length > 0, length.isFinite, degrees.isFinite else {
      self.init()
      return
    }
    self.init(cosine(degrees: degrees / 2), axis / length * sine(degrees: degrees / 2))
  }

  /// Makes the shortest rotation that turns the direction of one vector to the direction of another vector.
  init(from start: SIMD3<Double>, to end: SIMD3<Double>) {
    let product = (start * end).sum()
    let lengths = ((start * start).sum() * (end * end).sum()).squareRoot()
    guard lengths > 0, lengths.isFinite else {
      self.init()
      return
    }
    if product > -0.999_999 * lengths {
      self.init(lengths + product, Self.cross(start, end))
    } else {
      // The directions are opposite, so any axis at a right angle is right.
      let other: SIMD3<Double> = abs(start.x) < abs(start.z) ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
      self.init(0, Self.cross(start, other))
    }
  }

  /// Returns the rotation that applies `second` first, and `first` then.
  public static func * (first: Rotation, second: Rotation) -> Rotation {
    Rotation(
      first.w * second.w - (first.vector * second.vector).sum(),
      first.w * second.vector + second.w * first.vector + cross(first.vector, second.vector))
  }

  /// The opposite rotation.
  public var inverse: Rotation {
    var inverse = self
    inverse.vector = -vector
    return inverse
  }

  /// Returns a vector after the rotation.
  public func applied(to value: SIMD3<Double>) -> SIMD3<Double> {
    let twice = 2 * Self.cross(vector, value)
    return value + w * twice + Self.cross(vector, twice)
  }

  /// The angle of the rotation about the third axis, in degrees from -180 to 180.
  public var twist: Double {
    let angle = 2 * arctangent(vector.z, w)
    return angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle
  }

  static func cross(_ left: SIMD3<Double>, _ right: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      left.y * right.z - left.z * right.y, left.z * right.x - left.x * right.z,
      left.x * right.y - left.y * right.x)
  }
}
