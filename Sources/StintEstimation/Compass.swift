/// Corrects the heading with a magnetic field, relative to the first field.
///
/// The first field gives the reference: its horizontal direction, its strength and its dip. A field whose
/// strength differs by more than a quarter, or whose dip differs by more than 10 degrees, is disturbed and
/// has no effect. The library Fusion of x-io Technologies rejects fields from the same angle on.
struct Compass: Hashable, Sendable {
  private static let largestChange = 0.25
  private static let largestDip = 10.0

  private struct Reference: Hashable {
    var direction: SIMD3<Double>
    var strength: Double
    var dip: Double
  }

  private var reference: Reference?

  /// Returns the error of the heading as a rotation in radians, in the axes of the device. Nil for the first
  /// field and for a disturbed field.
  mutating func error(of field: SIMD3<Double>, _ attitude: Rotation) -> SIMD3<Double>? {
    let turned = attitude.applied(to: field)
    let across = (turned.x * turned.x + turned.y * turned.y).squareRoot()
    let strength = (turned * turned).sum().squareRoot()
    // Near the poles, and in a coil, the field has no horizontal direction.
    guard across > 0.05 * strength else { return nil }
    let direction = SIMD3(turned.x / across, turned.y / across, 0)
    let dip = arctangent(turned.z, across)
    guard let reference else {
      reference = Reference(direction: direction, strength: strength, dip: dip)
      return nil
    }
    guard abs(strength / reference.strength - 1) <= Self.largestChange,
      abs(dip - reference.dip) <= Self.largestDip
    else { return nil }
    let error = Rotation.cross(direction, reference.direction)
    return attitude.inverse.applied(to: SIMD3(0, 0, error.z))
  }
}
