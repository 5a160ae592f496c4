import StintModel
import StintUnits

/// The load of a bus benchmark: the numbers of batches, of samples in a batch and of subscribers.
struct BusLoad: Sendable {
  /// How many batches a producer publishes before others get their turn.
  static let burst = 64

  var subscribers: Int
  /// Samples in a batch.
  var size: Int
  /// How many batches one pass publishes; a multiple of `burst`.
  var batches: Int
  /// The batches that are shared out, over and over.
  private let ready: [Batch]

  init(subscribers: Int, size: Int, batches: Int) {
    self.subscribers = subscribers
    self.size = size
    self.batches = batches / Self.burst * Self.burst
    ready = (0..<Self.burst).map { Self.make(first: $0 * size, size) }
  }

  /// The batch with this number. A batch of many samples is there already, because a driver keeps them; a single
  /// sample is wrapped when it comes.
  func batch(_ number: Int) -> Batch {
    size == 1 ? Self.make(first: number % Self.burst, 1) : ready[number % Self.burst]
  }

  /// What all subscribers together must have added up.
  var checksum: UInt64 {
    let burst = ready.reduce(0 as UInt64) { sum, batch in sum &+ Self.sum(batch.samples) }
    return burst &* UInt64(batches / Self.burst) &* UInt64(subscribers)
  }

  /// Samples that reach subscribers in one pass, all together.
  var delivered: Int { batches * size * subscribers }

  /// What a subscriber does with samples: it looks at each, and a carrier that loses one is found out.
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
