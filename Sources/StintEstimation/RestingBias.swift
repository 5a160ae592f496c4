/// Estimates the error of a gyroscope while the device rests.
///
/// The device rests after its rates have stayed within 3 degrees per second of the estimate on each axis for
/// 5 s. The estimate then follows the rates with a cutoff frequency of 0.02 Hz. At the first rest, it is the
/// mean rate of these 5 s. The three numbers are those of the offset algorithm in the library Fusion of x-io
/// Technologies.
struct RestingBias: Hashable, Sendable {
  private static let threshold = 3.0
  private static let timeout = 5.0
  private static let cutoff = 0.02

  /// The estimate, in degrees per second.
  private(set) var bias = SIMD3<Double>.zero
  private var seconds = 0.0
  private var sum = SIMD3<Double>.zero
  private var isFirst = true

  /// Adds the rates of a span of time.
  mutating func add(_ rate: SIMD3<Double>, _ span: Double) {
    let rest = rate - bias
    guard abs(rest.x) <= Self.threshold, abs(rest.y) <= Self.threshold, abs(rest.z) <= Self.threshold else {
      interrupt()
      return
    }
    sum += rate * span
    seconds += span
    guard seconds >= Self.timeout else { return }
    if isFirst {
      bias = sum / seconds
      isFirst = false
    } else {
      bias += min(1, 2 * Double.pi * Self.cutoff * span) * rest
    }
  }

  /// Ends the present rest.
  mutating func interrupt() { (seconds, sum) = (0, .zero) }
}
