import StintUnits

/// Returns the angle of a vector in degrees, from -180 to 180; 0 for a vector of length 0. The result has the
/// same bits on every machine, because it uses only operations that IEEE 754 defines exactly.
func arctangent(_ y: Double, _ x: Double) -> Double {
  let length = (x * x + y * y).squareRoot()
  guard length > 0, length.isFinite else { return 0 }
  let (low, high) = (min(abs(x), abs(y)), max(abs(x), abs(y)))
  // A line as the first approximation, with an error below 5 degrees. Each step of Newton's method then makes
  // the error smaller than the cube of the former error.
  var angle = 45 * (low / high)
  for _ in 0..<3 {
    let difference = (low * cosine(degrees: angle) - high * sine(degrees: angle)) / length
    angle += difference * (180 / Double.pi)
  }
  if abs(y) > abs(x) { angle = 90 - angle }
  if x < 0 { angle = 180 - angle }
  return y < 0 ? -angle : angle
}
