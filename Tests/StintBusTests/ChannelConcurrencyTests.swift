import StintModel
import StintUnits
import Testing

@testable import StintBus

/// Many concurrent tasks on one channel: in every order, each batch is counted exactly once.
@Suite struct ChannelConcurrencyTests {
  private static let producers = 8
  private static let each = 200

  private func batch(_ number: Int) -> Batch {
    let samples = (0...(number % 4)).map { Sample(instant: .epoch, sequence: UInt64(number * 10 + $0), 1) }
    return Batch(device: "motion.accelerometer", samples: samples, reason: .immediate)
  }

  private func number(of batch: Batch) -> Int { Int(batch.samples[0].sequence / 10) }

  /// Sends from all producers and finishes after the last one. Returns the received values.
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
          for index in 0..<Self.each { _ = await channel.send(batch(producer * Self.each + index)) }
        }
      }
    }
    channel.finish()
    return await reader.value
  }

  @Test(arguments: [1, 3, 64])
  func `suspended producers lose no batch, and each producer's batches stay in order`(capacity: Int) async {
    let channel = BatchChannel(.hold(capacity: capacity))
    let seen = await run(channel)
    #expect(seen.sorted() == Array(0..<(Self.producers * Self.each)))
    for producer in 0..<Self.producers {
      let own = seen.filter { $0 / Self.each == producer }
      #expect(own == own.sorted())
    }
    #expect(channel.lost == .none)
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

  @Test func `producers cancelled at any moment either deliver or keep their batch`() async {
    for round in 0..<200 {
      let channel = BatchChannel(.hold(capacity: 1))
      _ = channel.offer(batch(0))
      let sender = Task { await channel.send(batch(1)) }
      if round.isMultiple(of: 2) { await Task.yield() }
      let taker = Task { channel.drainAll() }
      sender.cancel()
      let result = await sender.value
      let taken = await taker.value + channel.drainAll()
      #expect(result == .accepted || result == .cancelled)
      #expect(taken.map(number) == (result == .accepted ? [0, 1] : [0]))
    }
  }

  @Test func `cancelling the consumer resumes all suspended producers`() async {
    let channel = BatchChannel(.hold(capacity: 1))
    let stream = channel.stream()
    _ = channel.offer(batch(0))
    let senders = (1...5).map { number in Task { await channel.send(batch(number)) } }
    let reader = Task { () async -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        for try await _ in stream {}
        return true
      } catch { return false }
    }
    #expect(await reader.value)
    for sender in senders { #expect(await sender.value == .closed) }
    let counts = channel.counts
    #expect(channel.end == .abandoned)
    #expect(counts.accepted == counts.delivered + counts.discarded)
  }
}
