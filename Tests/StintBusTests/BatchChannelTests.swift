import StintModel
import StintUnits
import Testing

@testable import StintBus

@Suite struct BatchChannelTests {
  private func batch(_ number: UInt64, samples: Int = 1, from device: DeviceID = "motion.accelerometer")
    -> Batch
  {
    let list = (0..<samples).map { index in
      Sample(instant: Instant(nanoseconds: Int64(index)), sequence: number * 100 + UInt64(index), 0.5)
    }
    return Batch(device: device, samples: list, reason: .immediate)
  }

  @Test func `the stream returns the offered batches in order, then ends`() async throws {
    let channel = BatchChannel(.dropOldest(capacity: 4))
    for number in 1...3 { #expect(channel.offer(batch(UInt64(number))) == .accepted) }
    channel.finish()
    var seen: [UInt64] = []
    for try await batch in channel.stream() { seen.append(batch.samples[0].sequence / 100) }
    #expect(seen == [1, 2, 3])
    #expect(channel.end == .finished)
    #expect(channel.offer(batch(4)) == .closed)
  }

  @Test func `a channel is awaited while its consumer waits for an offer`() async throws {
    let (waits, sayWaits) = AsyncStream.makeStream(of: Void.self)
    let channel = BatchChannel(.dropOldest(capacity: 4), onAwait: { sayWaits.yield() })
    #expect(!channel.isAwaited)
    let reader = Task {
      var iterator = channel.stream().makeAsyncIterator()
      return try await [iterator.next(), iterator.next()].compactMap(\.self).count
    }
    var wait = waits.makeAsyncIterator()
    for number in 1...2 {
      await wait.next()
      #expect(channel.isAwaited)
      // The offer ends the wait at once, even when the reader's task resumes later.
      _ = channel.offer(batch(UInt64(number)))
      if number == 2 { #expect(!channel.isAwaited) }
    }
    #expect(try await reader.value == 2)
    #expect(!channel.isAwaited)
  }

  @Test func `a channel with the policy latest replaces an unread batch and counts the loss in samples`() {
    let channel = BatchChannel(.latest)
    #expect(channel.offer(batch(1, samples: 30)) == .accepted)
    #expect(channel.offer(batch(2, samples: 20)) == .displaced)
    #expect(channel.drainAll().map { $0.samples[0].sequence } == [200])
    #expect(channel.lost == Tally(batches: 1, samples: 30))
  }

  @Test func `a failure reaches the consumer as a typed error, after the batches before it`() async {
    let channel = BatchChannel(.dropOldest(capacity: 4))
    _ = channel.offer(batch(1))
    channel.finish(throwing: ChannelPair.failure)
    var iterator = channel.stream().makeAsyncIterator()
    do {
      let first = try await iterator.next()
      #expect(first == batch(1))
      _ = try await iterator.next()
      Issue.record("the failure was not thrown")
    } catch {
      #expect(error == ChannelPair.failure)
    }
  }

  @Test func `the stream returns all queued batches at once, then the end or the failure`() async {
    for failure in [nil, ChannelPair.failure] {
      let channel = BatchChannel(.dropOldest(capacity: 4))
      var iterator = channel.stream().makeAsyncIterator()
      for number in 1...3 { _ = channel.offer(batch(UInt64(number))) }
      var seen: [Batch] = [batch(0)]
      do {
        #expect(try await iterator.next(into: &seen))
        #expect(seen == (0...3).map { batch($0) })
        _ = channel.offer(batch(4))
        channel.finish(throwing: failure)
        #expect(try await iterator.next(into: &seen))
        #expect(try await !iterator.next(into: &seen))
        #expect(failure == nil)
      } catch {
        #expect(error == failure)
      }
      #expect(seen == (0...4).map { batch($0) })
      #expect(channel.counts.delivered.batches == 4)
    }
  }

  @Test func `a cancelled consumer reads no further batch, even if one is queued`() async {
    let channel = BatchChannel(.dropOldest(capacity: 4))
    let stream = channel.stream()
    _ = channel.offer(batch(1, samples: 3))
    await withTaskGroup(of: Batch?.self) { group in
      group.cancelAll()
      group.addTask {
        var iterator = stream.makeAsyncIterator()
        do { return try await iterator.next() } catch { return nil }
      }
      for await received in group { #expect(received == nil) }
    }
    #expect(channel.end == .abandoned)
    #expect(channel.counts.discarded == Tally(batches: 1, samples: 3))
  }

  @Test func `releasing the stream ends the channel once and counts the queued batches as discarded`() {
    let ends = Locked<[ChannelEnd]>([])
    let channel = BatchChannel(
      .dropOldest(capacity: 4), onTermination: { end in ends.withLock { $0.append(end) } })
    do {
      let stream = channel.stream()
      _ = channel.offer(batch(1, samples: 7))
      #expect(channel.end == nil)
      _ = stream.makeAsyncIterator()
    }
    #expect(channel.end == .abandoned)
    #expect(channel.offer(batch(2)) == .closed)
    channel.finish()
    #expect(ends.withLock { $0 } == [.abandoned])
    #expect(channel.counts.discarded == Tally(batches: 1, samples: 7))
    #expect(channel.lost == .none)
  }

  @Test func `breaking out of the loop ends the channel`() async throws {
    let channel = BatchChannel(.dropOldest(capacity: 4))
    _ = channel.offer(batch(1))
    for try await _ in channel.stream() { break }
    #expect(channel.end == .abandoned)
  }

  @Test func `a cancelled consumer gets the end, and the channel is abandoned`() async {
    let channel = BatchChannel(.latest)
    let stream = channel.stream()
    await withTaskGroup(of: Batch?.self) { group in
      group.addTask {
        var iterator = stream.makeAsyncIterator()
        do { return try await iterator.next() } catch { return nil }
      }
      group.cancelAll()
      for await received in group { #expect(received == nil) }
    }
    #expect(channel.end == .abandoned)
  }

  @Test func `onReady is called for the first batch of an empty channel and at the end`() {
    let calls = Locked(0)
    let channel = BatchChannel(.dropOldest(capacity: 2), onReady: { calls.withLock { $0 += 1 } })
    for number in 1...3 { _ = channel.offer(batch(UInt64(number))) }
    #expect(calls.withLock { $0 } == 1)
    var taken: [Batch] = []
    channel.drainAll(into: &taken)
    #expect(taken == [batch(2), batch(3)])
    _ = channel.offer(batch(4))
    #expect(calls.withLock { $0 } == 2)
    channel.finish()
    #expect(calls.withLock { $0 } == 3)
    #expect(channel.end == nil, "a batch is still queued")
    #expect(channel.drainAll() == [batch(4)])
    #expect(channel.end == .finished)
  }

  @Test func `offering and reading a hundred thousand batches loses none within the capacity`() {
    let channel = BatchChannel(.dropOldest(capacity: 8))
    let one = batch(1, samples: 50)
    var taken: [Batch] = []
    taken.reserveCapacity(8)
    for _ in 0..<12_500 {
      for _ in 0..<8 { _ = channel.offer(one) }
      taken.removeAll(keepingCapacity: true)
      channel.drainAll(into: &taken)
    }
    #expect(channel.counts.delivered == Tally(batches: 100_000, samples: 5_000_000))
    #expect(channel.lost == .none)
  }
}
