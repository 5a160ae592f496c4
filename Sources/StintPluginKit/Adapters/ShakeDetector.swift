/// Recognizes that a person shakes the device, from its acceleration.
///
/// The device is shaken when, within half a second, the acceleration of at least three quarters of the
/// samples is above 13 m/s². These are the numbers of Square's library Seismic at its medium sensitivity. The
/// shaking ends when at most a quarter of the samples is that strong. Steps have shorter peaks. The
/// orientation does not matter.
public struct ShakeDetector: Sendable {
  /// The square of the acceleration from which a sample is strong, in m²/s⁴.
  @usableFromInline static let threshold = 13.0 * 13.0
  /// The length of the window in nanoseconds, and the least number of samples in it.
  private static let (span, fewest) = (Int64(500_000_000), Int64(4))

  @usableFromInline var strong: [Bool]
  @usableFromInline var place = 0
  @usableFromInline var strongCount = 0
  /// Whether the device is shaken.
  public private(set) var isShaking = false

  /// Makes a detector for samples at a fixed period. Nil for a period of more than 125 ms, because half a
  /// second then has fewer than four samples.
  ///
  /// - Parameter nanoseconds: the period.
  public init?(periodInNanoseconds nanoseconds: Int64) {
    let count = Self.span / max(nanoseconds, 1)
    guard count >= Self.fewest else { return nil }
    strong = Array(repeating: false, count: Int(min(count, 4096)))
  }

  /// Adds a sample, in m/s² and with gravity. Returns true when `isShaking` changed.
  @inlinable
  public mutating func add(_ sample: SIMD3<Double>) -> Bool {
    let isStrong = (sample * sample).sum() > Self.threshold
    if strong[place] != isStrong {
      strong[place] = isStrong
      strongCount += isStrong ? 1 : -1
    }
    place = place + 1 == strong.count ? 0 : place + 1
    return update()
  }

  @usableFromInline
  mutating func update() -> Bool {
    let isShaking = self.isShaking ? strongCount * 4 > strong.count : strongCount * 4 >= strong.count * 3
    defer { self.isShaking = isShaking }
    return isShaking != self.isShaking
  }
}
