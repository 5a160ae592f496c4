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
