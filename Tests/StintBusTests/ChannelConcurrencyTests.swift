import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Many tasks use one channel concurrently. Each batch is counted exactly once.
@Suite struct ChannelConcurrencyTests {
  private static let producers = 8
  private static let each = 200

  private func batch(_ number: Int) -> Batch {
    let samples = (0...(number % 4)).map { Sample(instant: .epoch, sequence: UInt64(number * 10 + $0), 1) }
    return Batch(device: "motion.accelerometer", samples: samples, reason: .immediate)
  }

  private func number(of batch: Batch) -> Int { Int(batch.samples[0].sequence / 10) }

  /// Offers batches from all producers, then finishes the channel. Returns the numbers of the received
  /// batches.
  private func run(_ channel: BatchChannel) async -> [Int] {
    let stream = channel.stream()
    let reader = Task { () async -> [Int] in
      var seen: [Int] = []
      do { for try await batch in stream { seen.append(number(of: batch)) } } catch { return [] }
      return seen
    }
    await withTaskGroup(of: Void.self) { group in
      for producer in 0..<Self.producers {
        group.addTask {
          for index in 0..<Self.each { _ = channel.offer(batch(producer * Self.each + index)) }
        }
      }
    }
    channel.finish()
    return await reader.value
  }

  @Test(arguments: [OverflowPolicy.latest, .dropOldest(capacity: 4)])
  func `the numbers of lost batches and samples are exact`(policy: OverflowPolicy) async {
    let channel = BatchChannel(policy)
    let seen = await run(channel)
    let counts = channel.counts
    #expect(counts.accepted.batches == Self.producers * Self.each)
    #expect(counts.accepted == counts.delivered + counts.overflowed)
    #expect(counts.delivered.batches == seen.count)
    #expect(counts.delivered.samples == seen.reduce(0) { $0 + 1 + $1 % 4 })
  }
}
