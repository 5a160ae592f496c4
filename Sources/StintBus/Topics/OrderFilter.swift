public import StintModel
public import StintUnits

/// Keeps one device's samples in order: by instant, then by number, none twice, none from the future.
///
/// What is out of order within a batch is sorted; what comes behind its time is refused and counted.
public struct OrderFilter: Sendable {
  private var last: Sample?
  /// How many samples were refused in all.
  public private(set) var refused = 0

  /// A gate through which nothing has come.
  public init() {}

  /// The batch as it may be published; nil when nothing of it may.
  ///
  /// - Parameter now: when it was handed over; samples are not later.
  public mutating func admit(_ batch: Batch, at now: Instant) -> Batch? {
    if isInOrder(batch.samples, at: now) {
      last = batch.samples.last
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
    return Batch(device: batch.device, samples: kept, reason: batch.reason)
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
