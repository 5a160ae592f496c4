import StintBus
import StintModel
import StintRuntime

/// The bus itself: a topic, and a channel for each subscriber. A subscriber takes all pending batches of its
/// channel with one call.
enum ChannelCarrier: BusMechanism {
  static let name = "bus"

  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64 {
    var topics = TopicTable()
    var channels: [BatchChannel] = []
    let readers = (0..<load.subscribers).map { _ in
      let channel = BatchChannel(.dropOldest(capacity: BusLoad.burst))
      channels.append(channel)
      _ = topics.subscribe(channel, to: load.batch(0).device)
      let stream = channel.stream()
      return Spawner.start(on: executor) { await read(stream) }
    }
    for number in 0..<load.batches {
      topics.publish(load.batch(number))
      guard (number + 1) % BusLoad.burst == 0 else { continue }
      // The next burst fits only into empty channels.
      repeat { await Task.yield() } while !channels.allSatisfy(\.isAwaited)
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
