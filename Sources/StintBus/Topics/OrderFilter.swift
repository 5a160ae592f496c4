public import StintModel
public import StintUnits

/// Keeps the samples of one device in ascending order of instant and sequence number.
///
/// Samples that are out of order within a batch are sorted. Three kinds of samples are dropped and counted:
/// duplicates, samples from the future, and samples that precede the last published sample.
public struct OrderFilter: Sendable {
  private var last: Sample?
  /// The number of samples dropped until now.
  public private(set) var refused = 0

  /// Creates a filter for a device without earlier samples.
  public init() {}

  /// Returns the part of the batch that may be published, sorted. Returns nil when no sample may be
  /// published.
  ///
  /// - Parameter now: the time of delivery. Later samples are dropped.
  public mutating func admit(_ batch: Batch, at now: Instant) -> Batch? {
    if isInOrder(batch.samples, at: now) {
      last = batch.samples.last ?? last
      return batch
    }
    var kept: [Sample] = []
    for sample in batch.samples.sorted(by: Self.precedes) where sample.instant <= now {
      if let before = kept.last ?? last, !Self.precedes(before, sample) { continue }
      kept.append(sample)
    }
    refused += batch.samples.count - kept.count
    guard let newest = kept.last else { return nil }
    last = newest
    return Batch(device: batch.device, samples: kept, reason: batch.reason, wide: batch.wide)
  }

  private func isInOrder(_ samples: [Sample], at now: Instant) -> Bool {
    var before = last
    for sample in samples {
      if let before, !Self.precedes(before, sample) { return false }
      before = sample
    }
    return before.map { $0.instant <= now } ?? true
  }

  private static func precedes(_ left: Sample, _ right: Sample) -> Bool {
    left.instant == right.instant ? left.sequence < right.sequence : left.instant < right.instant
  }
}
