import StintModel
import StintRuntime

/// A baseline without a queue: the producer calls each subscriber's actor and passes the same array.
///
/// The producer is an actor on the executor of the subscribers, because a call that returns to such an actor
/// enqueues no job. A call that returns to nonisolated code would enqueue a job.
enum ActorHopCarrier: BusMechanism {
  static let name = "bare actor hop"

  private actor Subscriber {
    private(set) var sum: UInt64 = 0
    func take(_ samples: [Sample]) { sum &+= BusLoad.sum(samples) }
  }

  private actor Producer {
    func publish(_ load: BusLoad, to subscribers: [Subscriber]) async {
      for number in 0..<load.batches {
        let samples = load.batch(number).samples
        for subscriber in subscribers { await subscriber.take(samples) }
      }
    }
  }

  static func carry(_ load: BusLoad, on executor: LoopExecutor) async -> UInt64 {
    let subscribers = (0..<load.subscribers).map { _ in Subscriber() }
    await Producer().publish(load, to: subscribers)
    var sum: UInt64 = 0
    for subscriber in subscribers { sum &+= await subscriber.sum }
    return sum
  }
}
