/// Features of a window of accelerations that its variance does not contain: the rhythm of steps, a slow
/// rotation of the phone, and the steadiness of a vibration.
///
/// The rhythm is the first high peak of the autocorrelation of all three axes, so that the orientation of the
/// phone does not matter. For a phone at the body, the period of this peak is one step or one stride (two
/// steps).
struct MotionRhythm: Sendable {
  /// The autocorrelation at the period, from 0 to 1: how exactly the motion repeats.
  private(set) var regularity = 0.0
  /// The repetitions per second; 0 when the motion does not repeat.
  private(set) var frequency = 0.0
  /// The share of the variance that comes from the means of the blocks of half a second. A rotation of the
  /// phone turns gravity slowly, so this share is near 1.
  private(set) var slowShare = 0.0
  /// The variance of the magnitude of the acceleration, in m²/s⁴. A slow rotation does not change the
  /// magnitude.
  private(set) var magnitudeVariance = 0.0
  /// Whether the phone only rotates: gravity turns, but its strength is nearly constant.
  var isRotation: Bool { slowShare > 0.5 && magnitudeVariance < 0.13 * slowShare * totalVariance }
  private var totalVariance = 0.0
  /// Whether the motion of the last 2 s has the same strength in each half second, and the
  /// window has no slow part.
  private(set) var isSteady = false

  /// The means of successive samples, oldest first: at least 12 per second.
  private var means: [SIMD3<Double>] = []
  private var correlations: [Double] = []

  /// Makes a rhythm for windows of at most `length` samples.
  init(length: Int) {
    means.reserveCapacity(length)
    correlations.reserveCapacity(length)
  }

  /// Measures the regularity and the frequency of a window of 3 s. The window is a ring whose oldest sample
  /// has the index `place`.
  mutating func measureRepetition(_ window: [SIMD3<Double>], from place: Int) {
    // 12 means per second show each rhythm of a body, which has at most 3.5 repetitions per second.
    let group = max(1, window.count / 36)
    average(window, from: place, group: group)
    correlate(pace: Double(window.count) / Double(3 * group))
  }

  /// Measures the properties other than the regularity and the frequency.
  mutating func measureBlocks(_ window: [SIMD3<Double>], from place: Int) {
    let count = 6
    let size = window.count / count
    let inverse = 1 / Double(size)
    var index = place + window.count - count * size
    if index >= window.count { index -= window.count }
    var whole = Moments()
    var magnitude = (sum: 0.0, squares: 0.0)
    var inside = 0.0
    var (weakest, strongest) = (Double.infinity, 0.0)
    for block in 0..<count {
      var part = Moments()
      for _ in 0..<size {
        let value = window[index]
        index = index + 1 == window.count ? 0 : index + 1
        part.add(value)
        let up = value + SIMD3(0, 0, 9.80665)
        let square = (up * up).sum()
        magnitude.sum += square.squareRoot()
        magnitude.squares += square
      }
      let variance = part.variance(inverse)
      inside += variance
      whole.add(part.sum * inverse)
      guard block >= 2 else { continue }
      weakest = min(weakest, variance)
      strongest = max(strongest, variance)
    }
    let slow = whole.variance(1 / 6)
    totalVariance = slow + inside / 6
    slowShare = slow / max(totalVariance, 1e-12)
    let total = inverse / 6
    magnitudeVariance = magnitude.squares * total - magnitude.sum * total * magnitude.sum * total
    // Below 12 Hz, a vibration of a vehicle appears as a slower motion.
    isSteady = strongest < 2.5 * weakest && slowShare < (window.count < 36 ? 0.15 : 0.08)
  }

  private mutating func average(_ window: [SIMD3<Double>], from place: Int, group: Int) {
    means.removeAll(keepingCapacity: true)
    var index = place
    var total = SIMD3<Double>.zero
    for _ in 0..<window.count / group {
      var sum = SIMD3<Double>.zero
      for _ in 0..<group {
        sum += window[index]
        index = index + 1 == window.count ? 0 : index + 1
      }
      total += sum
      means.append(sum / Double(group))
    }
    let mean = total / Double(means.count * group)
    for index in means.indices { means[index] -= mean }
  }

  /// Finds the shortest period whose correlation is nearly the greatest, among the periods of 0.28 to 1.5 s.
  private mutating func correlate(pace: Double) {
    correlations.removeAll(keepingCapacity: true)
    let first = max(1, Int(pace * 0.28))
    let last = min(means.count / 2, Int(pace * 1.5)) + 1
    let energy = means.reduce(0) { $0 + ($1 * $1).sum() }
    // The parts of the energy that precede the later values, and that follow the earlier values.
    var (head, tail) = (0.0, 0.0)
    for lag in 0...last {
      if lag > 0 {
        head += (means[lag - 1] * means[lag - 1]).sum()
        tail += (means[means.count - lag] * means[means.count - lag]).sum()
      }
      guard lag >= first - 1 else { continue }
      var product = SIMD3<Double>.zero
      for index in lag..<means.count { product += means[index - lag] * means[index] }
      let scale = (max(energy - head, 0) * max(energy - tail, 0)).squareRoot()
      correlations.append(product.sum() / max(scale, 1e-12))
    }
    var best = 0.0
    for index in 1..<correlations.count - 1 where isPeak(index) { best = max(best, correlations[index]) }
    (regularity, frequency) = (0, 0)
    for index in 1..<correlations.count - 1
    where isPeak(index) && correlations[index] > 0 && correlations[index] >= 0.85 * best {
      let (before, peak, after) = (correlations[index - 1], correlations[index], correlations[index + 1])
      // The vertex of the parabola through the three correlations.
      let shift = (before - after) / (2 * (before - 2 * peak + after))
      regularity = min(peak - (before - after) * shift / 4, 1)
      frequency = pace / (Double(first - 1 + index) + shift)
      return
    }
  }

  private func isPeak(_ index: Int) -> Bool {
    correlations[index] > correlations[index - 1] && correlations[index] >= correlations[index + 1]
  }

  /// The sum of vectors and the sum of their squares.
  private struct Moments {
    var sum = SIMD3<Double>.zero
    var squares = SIMD3<Double>.zero

    mutating func add(_ value: SIMD3<Double>) {
      sum += value
      squares += value * value
    }

    /// Returns the variance, summed over the axes; `inverse` is 1 divided by the number of vectors.
    func variance(_ inverse: Double) -> Double {
      max(squares.sum() * inverse - (sum * sum).sum() * inverse * inverse, 0)
    }
  }
}
