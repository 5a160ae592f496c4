import StintModel
import StintUnits

/// The load of a bus benchmark: the numbers of batches, of samples in a batch and of subscribers.
struct BusLoad: Sendable {
  /// The number of batches that a producer publishes in a row, before it yields to the subscribers.
  static let burst = 64

  var subscribers: Int
  /// The number of samples in a batch.
  var size: Int
  /// The number of batches in one pass; a multiple of `burst`.
  var batches: Int
  /// The prepared batches, which are published repeatedly.
  private let ready: [Batch]

  init(subscribers: Int, size: Int, batches: Int) {
    self.subscribers = subscribers
    self.size = size
    self.batches = batches / Self.burst * Self.burst
    ready = (0..<Self.burst).map { Self.make(first: $0 * size, size) }
  }

  /// Returns the batch for `number`. A batch of several samples is prepared in advance, like the samples in
  /// the buffer of a driver. A batch of one sample is created at each call.
  func batch(_ number: Int) -> Batch {
    size == 1 ? Self.make(first: number % Self.burst, 1) : ready[number % Self.burst]
  }

  /// The expected sum of the sequence numbers of all samples that the subscribers read.
  var checksum: UInt64 {
    let burst = ready.reduce(0 as UInt64) { sum, batch in sum &+ Self.sum(batch.samples) }
    return burst &* UInt64(batches / Self.burst) &* UInt64(subscribers)
  }

  /// The total number of samples that reach subscribers in one pass.
  var delivered: Int { batches * size * subscribers }

  /// The work of a subscriber, which reads each sample and adds its sequence number. A lost sample therefore
  /// changes the sum.
  @inline(__always)
  static func sum(_ samples: [Sample]) -> UInt64 {
    var sum: UInt64 = 0
    for sample in samples { sum &+= sample.sequence }
    return sum
  }

  private static func make(first: Int, _ size: Int) -> Batch {
    let samples = (0..<size).map { index in
      Sample(instant: .epoch, sequence: UInt64(first + index + 1), 0.1, 0.2, 9.8)
    }
    return Batch(device: "motion.accelerometer", samples: samples, reason: .immediate)
  }
}
