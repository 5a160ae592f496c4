/// Recognizes that a person tilts the device, from its acceleration.
///
/// The mean acceleration of 2 s gives the direction of gravity. The device is tilted when this direction has
/// turned by at least 35 degrees since it was last steady. These are the numbers of the tilt detector in the
/// sensors of Android. The tilt ends when the direction turns by less than 5 degrees within 1 s. A rotation
/// about the vertical is no tilt, and an accelerometer cannot measure it.
public struct TiltDetector: Sendable {
  /// The cosines of 35 degrees and of 5 degrees.
  private static let (tilted, steady) = (0.819_152, 0.996_195)
  /// The length of a block in nanoseconds, and the number of blocks in the mean.
  private static let (block, blocks) = (Int64(500_000_000), 4)

  @usableFromInline let size: Int
  @usableFromInline var count = 0
  @usableFromInline var sum = SIMD3<Double>.zero
  /// The sums of the latest blocks, oldest first.
  private var sums: [SIMD3<Double>] = []
  /// The directions of the latest means, oldest first: at most three.
  private var means: [SIMD3<Double>] = []
  /// The last steady direction of gravity; nil before the first mean.
  private var reference: SIMD3<Double>?
  /// Whether the device is being tilted.
  public private(set) var isTilting = false

  /// Makes a detector for samples at a fixed period. Nil for a period of more than half a second.
  ///
  /// - Parameter nanoseconds: the period.
  public init?(periodInNanoseconds nanoseconds: Int64) {
    let size = Self.block / max(nanoseconds, 1)
    guard size >= 1 else { return nil }
    self.size = Int(size)
  }

  /// Adds a sample, in m/s² and with gravity. Returns true when `isTilting` changed.
  @inlinable
  public mutating func add(_ sample: SIMD3<Double>) -> Bool {
    sum += sample
    count += 1
    guard count == size else { return false }
    return endBlock()
  }

  @usableFromInline
  mutating func endBlock() -> Bool {
    sums.append(sum)
    (sum, count) = (.zero, 0)
    guard sums.count >= Self.blocks else { return false }
    if sums.count > Self.blocks { sums.removeFirst() }
    let total = sums.reduce(.zero, +)
    let length = (total * total).sum().squareRoot()
    // In free fall, there is no direction of gravity.
    guard length > 0, length.isFinite else { return false }
    let mean = total / length
    means.append(mean)
    if means.count > 3 { means.removeFirst() }
    guard let reference else {
      reference = mean
      return false
    }
    if !isTilting {
      isTilting = (mean * reference).sum() <= Self.tilted
      return isTilting
    }
    guard means.count == 3, (mean * means[0]).sum() > Self.steady else { return false }
    self.reference = mean
    isTilting = false
    return true
  }
}
