import StintBus
import StintModel
import StintRuntime

/// The bus itself: a topic, and a channel for each subscriber. A subscriber takes all pending batches of its
/// channel with one call.
enum ChannelCarrier: BusMechanism {
  static let name = "bus"

  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64 {
    var topics = TopicTable()
    let readers = (0..<load.subscribers).map { _ in
      let channel = BatchChannel(.hold(capacity: BusLoad.burst))
      _ = topics.subscribe(channel, to: load.batch(0).device)
      let stream = channel.stream()
      return Spawner.start(on: executor) { await read(stream) }
    }
    var number = 0
    while number < load.batches {
      if topics.publish(load.batch(number)).heldBy != nil {
        await Task.yield()
        continue
      }
      number += 1
      if number % BusLoad.burst == 0 { await Task.yield() }
    }
    topics.finish(load.batch(0).device)
    var sum: UInt64 = 0
    for reader in readers { sum &+= await reader.value }
    return sum
  }

  private static func read(_ stream: BatchStream) async -> UInt64 {
    var sum: UInt64 = 0
    var batches: [Batch] = []
    var iterator = stream.makeAsyncIterator()
    do {
      while try await iterator.next(into: &batches) {
        for batch in batches { sum &+= BusLoad.sum(batch.samples) }
        batches.removeAll(keepingCapacity: true)
      }
    } catch { return 0 }
    return sum
  }
}
