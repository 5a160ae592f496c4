import StintModel
import StintUnits

/// A ring buffer with the last samples of a fact. Its capacity is fixed at creation.
struct SampleWindow: Hashable, Sendable {
  private var instants: [Instant]
  private var values: [Double]
  private var head = 0
  private(set) var count = 0

  init(capacity: Int) {
    instants = Array(repeating: .epoch, count: capacity)
    values = Array(repeating: 0, count: capacity)
  }

  /// The instant of the oldest sample; nil when the window is empty.
  var oldest: Instant? { count == 0 ? nil : instants[head] }

  /// Adds a sample. A sample with the same instant as the newest sample replaces the newest sample. A full
  /// window drops its oldest sample.
  mutating func append(_ value: Double, at instant: Instant) {
    guard !instants.isEmpty else { return }
    if count > 0 {
      let last = (head + count - 1) % instants.count
      if instants[last] == instant {
        values[last] = value
        return
      }
    }
    if count == instants.count {
      head = (head + 1) % instants.count
      count -= 1
    }
    let place = (head + count) % instants.count
    instants[place] = instant
    values[place] = value
    count += 1
  }

  /// Copies the samples of another window. When this window has less capacity, it copies only the newest
  /// samples.
  mutating func adopt(_ other: SampleWindow) {
    if instants.count == other.instants.count {
      self = other
      return
    }
    let (moments, former) = other.content
    for (instant, value) in zip(moments, former) { append(value, at: instant) }
  }

  /// The instants and values of the samples, oldest first.
  var content: (instants: [Instant], values: [Double]) {
    let places = (0..<count).map { (head + $0) % instants.count }
    return (places.map { instants[$0] }, places.map { values[$0] })
  }

  /// Drops the samples with instants up to and including `limit`.
  mutating func forget(upTo limit: Instant) {
    while count > 0, instants[head] <= limit {
      head = (head + 1) % instants.count
      count -= 1
    }
  }

  /// Returns a statistic over all samples in the window; NaN when there are too few.
  func statistic(_ function: WindowFunction, over span: TimeSpan) -> Double {
    switch function {
    case .count: return Double(count)
    case .rate: return Double(count) / span.seconds
    case .trend: return trend(over: span)
    case .avg, .min, .max, .spread: break
    }
    guard count > 0 else { return .nan }
    var sum = 0.0
    var lowest = Double.infinity
    var highest = -Double.infinity
    for index in 0..<count {
      let value = values[(head + index) % values.count]
      sum += value
      lowest = Swift.min(lowest, value)
      highest = Swift.max(highest, value)
    }
    switch function {
    case .avg: return sum / Double(count)
    case .min: return lowest
    case .max: return highest
    default: return highest - lowest
    }
  }

  /// Returns the least-squares slope multiplied by the span: the change of the value over the window.
  private func trend(over span: TimeSpan) -> Double {
    guard count >= 3 else { return .nan }
    let start = instants[head]
    var meanTime = 0.0
    var meanValue = 0.0
    for index in 0..<count {
      let place = (head + index) % values.count
      meanTime += (instants[place] - start).seconds
      meanValue += values[place]
    }
    meanTime /= Double(count)
    meanValue /= Double(count)
    var covariance = 0.0
    var variance = 0.0
    for index in 0..<count {
      let place = (head + index) % values.count
      let time = (instants[place] - start).seconds - meanTime
      covariance += time * (values[place] - meanValue)
      variance += time * time
    }
    return variance > 0 ? covariance / variance * span.seconds : .nan
  }
}
