import StintModel
import StintRuntime
import StintUnits

/// The device at the end of a benchmark: it notes the time since the sample's publication. The sample's
/// instant is that moment.
actor LatencyProbeDevice {
  private let loop: LoopExecutor
  private let kept = Locked<[Int64]>([])

  init(on loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  func tell(_ batch: Batch) {
    let span = SystemClock.monotonic().nanoseconds - batch.samples[0].instant.nanoseconds
    kept.withLock { $0.append(span) }
  }

  nonisolated var spans: [Int64] { kept.withLock { $0 } }

  /// Blocks the calling thread, which is not the loop's, until `count` samples came; no longer than a second.
  nonisolated func wait(for count: Int) {
    for _ in 0..<10_000 where kept.withLock({ $0.count }) < count { Pause.microseconds(100) }
  }

  /// A batch of one sample that is published now.
  static func batch(_ number: Int) -> Batch {
    let now = SystemClock.monotonic().nanoseconds
    return Batch(
      device: "motion.accelerometer",
      samples: [Sample(instant: .init(nanoseconds: now), sequence: UInt64(number), 9.8)], reason: .immediate)
  }
}
