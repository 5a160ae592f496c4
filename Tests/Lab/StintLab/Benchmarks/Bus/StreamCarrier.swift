import StintModel
import StintRuntime

/// The standard library as a baseline: an `AsyncStream` for each subscriber.
enum StreamCarrier: BusMechanism {
  static let name = "AsyncStream"

  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64 {
    let ends = (0..<load.subscribers).map { _ in AsyncStream.makeStream(of: [Sample].self) }
    let readers = ends.map { end in
      let stream = end.stream
      return Spawner.start(on: executor) { () async -> UInt64 in
        var sum: UInt64 = 0
        for await samples in stream { sum &+= BusLoad.sum(samples) }
        return sum
      }
    }
    for number in 0..<load.batches {
      let samples = load.batch(number).samples
      for end in ends { end.continuation.yield(samples) }
      if number % BusLoad.burst == BusLoad.burst - 1 { await Task.yield() }
    }
    for end in ends { end.continuation.finish() }
    var sum: UInt64 = 0
    for reader in readers { sum &+= await reader.value }
    return sum
  }
}
