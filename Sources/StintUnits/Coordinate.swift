/// A position on the ground, WGS 84, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north, -90…90.
  public let latitude: Double
  /// Degrees east, -180…180.
  public let longitude: Double

  /// Makes a coordinate; nil when a number is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Metres in a degree of latitude on the mean sphere (radius 6 371 008.8 m, IUGG mean radius).
  static let metresPerDegree = 6_371_008.8 * Double.pi / 180

  /// The distance in metres, on a plane that touches the sphere half-way: within 0.1 % below 100 km.
  public func distance(to other: Coordinate) -> Double {
    let north = (other.latitude - latitude) * Self.metresPerDegree
    let middle = (latitude + other.latitude) / 2
    let east = Self.eastward(other.longitude - longitude) * Self.metresPerDegree * cosine(degrees: middle)
    return (north * north + east * east).squareRoot()
  }

  /// The greatest differences in degrees of latitude and longitude of a place within `metres` by
  /// `distance(to:)`. It is 180 degrees of longitude where any may be.
  public func reach(of metres: Double) -> (north: Double, east: Double) {
    // A little more, so that rounding leaves nothing out.
    let north = (metres * (1 + 1e-9) + 1e-3) / Self.metresPerDegree
    guard abs(latitude) + north < 89.9 else { return (min(north, 180), 180) }
    return (north, min(north / cosine(degrees: abs(latitude) + north), 180))
  }

  /// The coordinate this many metres north and east; latitudes stop at the poles, longitudes wrap.
  public func moved(north: Double, east: Double) -> Coordinate {
    let shrink = max(cosine(degrees: latitude), 1e-9)
    let newLatitude = min(max(latitude + north / Self.metresPerDegree, -90), 90)
    let newLongitude = Self.eastward(longitude + east / (Self.metresPerDegree * shrink))
    return Coordinate(latitude: newLatitude, longitude: newLongitude) ?? self
  }

  /// The point on the way to `other` at `fraction` 0…1.
  public func toward(_ other: Coordinate, fraction: Double) -> Coordinate {
    let newLatitude = latitude + (other.latitude - latitude) * fraction
    let newLongitude = Self.eastward(longitude + Self.eastward(other.longitude - longitude) * fraction)
    return Coordinate(latitude: newLatitude, longitude: newLongitude) ?? self
  }

  private static func eastward(_ degrees: Double) -> Double {
    guard abs(degrees) > 180 else { return degrees }
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }
}

// The C library's sine differs in the last bit from one system to the next. Decisions must not, so the core
// has its
// own: a Taylor polynomial on ±45°, below 1e-15 off, made of additions and multiplications only.

/// The cosine of an angle in degrees; the same bits on every machine.
public func cosine(degrees: Double) -> Double { sine(degrees: degrees + 90) }

/// The sine of an angle in degrees; the same bits on every machine.
public func sine(degrees: Double) -> Double {
  var angle = degrees.truncatingRemainder(dividingBy: 360)
  if angle < 0 { angle += 360 }
  var sign = 1.0
  if angle >= 180 {
    angle -= 180
    sign = -1
  }
  if angle > 90 { angle = 180 - angle }
  return angle <= 45
    ? sign * sinePolynomial(angle * Double.pi / 180) : sign * cosinePolynomial((90 - angle) * Double.pi / 180)
}

private func sinePolynomial(_ radians: Double) -> Double {
  let square = radians * radians
  var term = radians
  var sum = radians
  var order = 1.0
  for _ in 0..<9 {
    term *= -square / ((order + 1) * (order + 2))
    sum += term
    order += 2
  }
  return sum
}

private func cosinePolynomial(_ radians: Double) -> Double {
  let square = radians * radians
  var term = 1.0
  var sum = 1.0
  var order = 0.0
  for _ in 0..<9 {
    term *= -square / ((order + 1) * (order + 2))
    sum += term
    order += 2
  }
  return sum
}
