import Stint
import StintModel
import StintRuntime
import StintUnits

/// The topic of an app, with batches as messages. A subscriber reads one message with
/// each call, as `for try await` does.
enum TopicCarrier: BusMechanism {
  static let name = "bus, topic of an app"

  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64 {
    let topic = Topic<Batch>(name: "batches")
    let readers = (0..<load.subscribers).map { _ in
      let stream = topic.messages(keeping: .newest(BusLoad.burst))
      return Spawner.start(on: executor) { await read(stream) }
    }
    for number in 0..<load.batches {
      topic.publish(load.batch(number))
      // All subscribers read their messages before the next burst, because they share one executor.
      if number % BusLoad.burst == BusLoad.burst - 1 { await Task.yield() }
    }
    topic.finish(throwing: Problem(.closed, cause: "the pass has ended"))
    var sum: UInt64 = 0
    for reader in readers { sum &+= await reader.value }
    return sum
  }

  private static func read(_ stream: Messages<Batch>) async -> UInt64 {
    var sum: UInt64 = 0
    do {
      for try await batch in stream { sum &+= BusLoad.sum(batch.samples) }
    } catch { return sum }
    return sum
  }
}
