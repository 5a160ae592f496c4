/// How a device is held, from where gravity points.
public enum Orientation: String, Hashable, Sendable, CaseIterable {
  case portrait
  case portraitUpsideDown
  case landscapeLeft
  case landscapeRight
  case faceUp
  case faceDown

  /// The axis that carries most of the force, x across and y along the screen, z out of it; nil when no axis stands
  /// out by a fifth, so that a tilted device does not flicker.
  init?(x: Double, y: Double, z: Double) {
    let sizes = [abs(x), abs(y), abs(z)].sorted()
    guard sizes[2] > sizes[1] * 1.2 else { return nil }
    if abs(z) == sizes[2] {
      self = z > 0 ? .faceUp : .faceDown
    } else if abs(y) == sizes[2] {
      self = y > 0 ? .portrait : .portraitUpsideDown
    } else {
      self = x > 0 ? .landscapeRight : .landscapeLeft
    }
  }
}
