import StintModel
import StintRuntime
import StintUnits

/// The receiver of the samples in `WakingBench`. The instant of a sample is the time of its publication. The
/// device records the nanoseconds from this time to the arrival of the sample.
actor LatencyProbeDevice {
  private let loop: LoopExecutor
  private let measuredSpans = Locked<[Int64]>([])

  init(on loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }

  func tell(_ batch: Batch) {
    let span = SystemClock.monotonic().nanoseconds - batch.samples[0].instant.nanoseconds
    measuredSpans.withLock { $0.append(span) }
  }

  nonisolated var spans: [Int64] { measuredSpans.withLock { $0 } }

  /// Blocks the calling thread until `count` samples have arrived, for at most about one second. The calling
  /// thread must not be the thread of the loop.
  nonisolated func wait(for count: Int) {
    for _ in 0..<10_000 where measuredSpans.withLock({ $0.count }) < count { Pause.microseconds(100) }
  }

  /// Returns a batch of one sample with the current time.
  static func batch(_ number: Int) -> Batch {
    let now = SystemClock.monotonic().nanoseconds
    return Batch(
      device: "motion.accelerometer",
      samples: [Sample(instant: .init(nanoseconds: now), sequence: UInt64(number), 9.8)], reason: .immediate)
  }
}
