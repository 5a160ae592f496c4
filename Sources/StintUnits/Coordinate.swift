/// A position on the Earth in WGS 84 coordinates, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, -90…90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180…180.
  public let longitude: Double

  /// Makes a coordinate; nil when a value is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The metres per degree of latitude on the mean sphere (IUGG mean radius 6 371 008.8 m).
  static let metresPerDegree = 6_371_008.8 * Double.pi / 180

  /// Returns the distance in metres, computed on a plane that touches the sphere half-way between the
  /// positions.
  ///
  /// The error is below 0.1 % for distances below 100 km and latitudes up to 82°.
  public func distance(to other: Coordinate) -> Double {
    let north = (other.latitude - latitude) * Self.metresPerDegree
    let middle = (latitude + other.latitude) / 2
    let east =
      Self.wrappedLongitude(other.longitude - longitude) * Self.metresPerDegree * cosine(degrees: middle)
    return (north * north + east * east).squareRoot()
  }

  /// Returns the largest differences in latitude and longitude, in degrees, of positions at most `metres`
  /// away. `east` is 180 when the longitude is unrestricted.
  public func reach(of metres: Double) -> (north: Double, east: Double) {
    // Because of the margin, rounding does not exclude a position at exactly this distance.
    let north = (metres * (1 + 1e-9) + 1e-3) / Self.metresPerDegree
    guard abs(latitude) + north < 89.9 else { return (min(north, 180), 180) }
    return (north, min(north / cosine(degrees: abs(latitude) + north), 180))
  }

  /// Returns the coordinate moved by metres north and east. The latitude stops at the poles, the longitude
  /// wraps.
  public func moved(north: Double, east: Double) -> Coordinate {
    let shrink = max(cosine(degrees: latitude), 1e-9)
    let newLatitude = min(max(latitude + north / Self.metresPerDegree, -90), 90)
    let newLongitude = Self.wrappedLongitude(longitude + east / (Self.metresPerDegree * shrink))
    return Coordinate(latitude: newLatitude, longitude: newLongitude) ?? self
  }

  /// Returns the point on the line to `other` at `fraction`, 0…1.
  public func toward(_ other: Coordinate, fraction: Double) -> Coordinate {
    let newLatitude = latitude + (other.latitude - latitude) * fraction
    let newLongitude = Self.wrappedLongitude(
      longitude + Self.wrappedLongitude(other.longitude - longitude) * fraction)
    return Coordinate(latitude: newLatitude, longitude: newLongitude) ?? self
  }

  /// Returns a longitude or a difference of longitudes, wrapped to -180…180 degrees.
  private static func wrappedLongitude(_ degrees: Double) -> Double {
    guard abs(degrees) > 180 else { return degrees }
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }
}

// The sine of the C library differs in the last bit between systems, but decisions must be identical on all
// systems. So the core computes sines without the library: a Taylor polynomial on ±45° with an error below
// 1e-15. It uses only operations that IEEE 754 defines exactly.

/// Returns the cosine of an angle in degrees. The result has the same bits on every machine.
public func cosine(degrees: Double) -> Double { sine(degrees: degrees + 90) }

/// Returns the sine of an angle in degrees. The result has the same bits on every machine.
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
