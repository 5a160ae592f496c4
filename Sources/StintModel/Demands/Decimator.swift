public import StintUnits

/// Selects the samples of a slower stream from the samples of a faster device.
///
/// The decimator has a time grid with the interval of the slower stream. For each point of the grid, it
/// selects the first sample at or after the point. So over a long time, the number of selected samples fits
/// the interval, and no selected sample is late by more than one period of the device. A sample is always
/// selected when it follows the previous sample of the device by at least 7/8 of the interval, because the
/// periods of real devices vary.
public struct Decimator: Hashable, Sendable {
  /// The next point of the grid; nil before the first sample.
  private var next: Instant?
  /// The instant of the last sample, selected or not.
  private var latest: Instant?

  /// Makes a decimator that selects the next sample.
  public init() {}

  /// Returns whether the slower stream contains the sample at this instant. Call this function once for each
  /// sample.
  public mutating func selects(_ instant: Instant, every interval: TimeSpan) -> Bool {
    let least = TimeSpan(nanoseconds: interval.nanoseconds - interval.nanoseconds / 8)
    let isSlowDevice = latest.map { instant - $0 >= least } ?? true
    latest = instant
    let due = next ?? instant
    guard instant >= due || isSlowDevice else { return false }
    let after = min(due, instant) + interval
    // After a gap the grid restarts at this sample. Missed samples are not compensated.
    next = after > instant ? after : instant + interval
    return true
  }

  /// Returns the samples that belong to the slower stream. When all samples are selected, they are not
  /// copied.
  public mutating func pick(_ samples: [Sample], every interval: TimeSpan) -> [Sample] {
    var picked: [Sample]?
    for (place, sample) in samples.enumerated() {
      if selects(sample.instant, every: interval) {
        picked?.append(sample)
      } else if picked == nil {
        picked = Array(samples[..<place])
      }
    }
    return picked ?? samples
  }

  /// Restarts the grid with the next sample.
  public mutating func restart() { self = Decimator() }
}
