import StintModel
import StintRuntime

/// A baseline without a queue: the producer calls each subscriber's actor and passes the same array. All
/// actors share one serial executor, so a call continues without an executor switch.
enum BoundActorHopCarrier: BusMechanism {
  static let name = "actor hop, one executor"

  private actor Subscriber {
    private let loop: LoopExecutor
    private(set) var sum: UInt64 = 0

    init(_ loop: LoopExecutor) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }
    func take(_ samples: [Sample]) { sum &+= BusLoad.sum(samples) }
  }

  private actor Producer {
    private let loop: LoopExecutor

    init(_ loop: LoopExecutor) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.serial.asUnownedSerialExecutor() }
    func publish(_ load: BusLoad, to subscribers: [Subscriber]) async {
      for number in 0..<load.batches {
        let samples = load.batch(number).samples
        for subscriber in subscribers { await subscriber.take(samples) }
      }
    }
  }

  static func carry(_ load: BusLoad, on loop: LoopExecutor) async -> UInt64 {
    let subscribers = (0..<load.subscribers).map { _ in Subscriber(loop) }
    await Producer(loop).publish(load, to: subscribers)
    var sum: UInt64 = 0
    for subscriber in subscribers { sum &+= await subscriber.sum }
    return sum
  }
}
