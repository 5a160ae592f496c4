import StintModel
import StintUnits

/// The state machine of a channel behind a lock, with the suspended tasks. The state machine identifies these
/// tasks by waiter ids.
///
/// Resumes tasks and calls closures only after releasing the lock. May be used from any thread.
final class ChannelStorage<Element: SampleContainer>: Sendable {
  typealias Machine = ChannelStateMachine<Element>
  /// A consumer that gets nil when it is interrupted.
  private typealias Consumer = WaitingTask<Machine.Delivery?>
  private typealias Producer = WaitingTask<OfferResult>

  private struct Guarded {
    var machine: Machine
    var consumer: Consumer?
    /// True from an interruption without a waiting consumer until the next wait.
    var isInterrupted = false
    var producers: [WaiterID: Producer] = [:]
    var nextWaiter: UInt64 = 0
    var streamIsTaken = false
  }

  private let guarded: Locked<Guarded>
  private let onReady: (@Sendable () -> Void)?
  private let onAwait: (@Sendable () -> Void)?
  private let onTermination: (@Sendable (ChannelEnd) -> Void)?

  init(
    policy: OverflowPolicy, onReady: (@Sendable () -> Void)?, onAwait: (@Sendable () -> Void)?,
    onTermination: (@Sendable (ChannelEnd) -> Void)?
  ) {
    guarded = Locked(Guarded(machine: Machine(policy: policy)))
    self.onReady = onReady
    self.onAwait = onAwait
    self.onTermination = onTermination
  }

  var counts: ChannelCounts { guarded.withLock { $0.machine.counts } }
  var end: ChannelEnd? { guarded.withLock { $0.machine.end } }
  var isAwaited: Bool { guarded.withLock { $0.consumer != nil } }
  var isOpen: Bool { guarded.withLock { $0.machine.isOpen } }
  var hasRoom: Bool { guarded.withLock { $0.machine.hasRoom } }
  var isHolding: Bool { guarded.withLock { !$0.machine.hasRoom && $0.machine.isOpen } }

  func claimStream() {
    guarded.withLock { guarded in
      precondition(!guarded.streamIsTaken, "the only stream of the channel was already claimed")
      guarded.streamIsTaken = true
    }
  }

  private func newWaiter() -> WaiterID {
    guarded.withLock { guarded in
      guarded.nextWaiter += 1
      return WaiterID(number: guarded.nextWaiter)
    }
  }
}

// MARK: Producing

extension ChannelStorage {
  func offer(_ element: Element) -> OfferResult {
    let (offered, consumer) = guarded.withLock { guarded in
      let offered = guarded.machine.offer(element)
      return (offered, offered.consumer == nil ? nil : guarded.consumer.take())
    }
    perform(offered, element, consumer)
    return offered.result
  }

  func send(_ element: Element, isolation: isolated (any Actor)?) async -> OfferResult {
    let waiter = newWaiter()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { producer in
        suspend(Producer(producer), sending: element, as: waiter)
      }
    } onCancel: {
      cancelSend(by: waiter)
    }
    guarded.withLock { $0.machine.forget(waiter) }
    return result
  }

  private func suspend(_ producer: Producer, sending element: Element, as waiter: WaiterID) {
    let (offered, consumer) = guarded.withLock { guarded in
      guard let offered = guarded.machine.send(element, by: waiter) else {
        guarded.producers[waiter] = producer
        return (Machine.Offered?.none, Consumer?.none)
      }
      return (offered, offered.consumer == nil ? nil : guarded.consumer.take())
    }
    guard let offered else { return }
    perform(offered, element, consumer)
    producer.resume(returning: offered.result)
  }

  private func cancelSend(by waiter: WaiterID) {
    let producer = guarded.withLock { guarded in
      guarded.machine.cancelSend(by: waiter) ? guarded.producers.removeValue(forKey: waiter) : nil
    }
    producer?.resume(returning: .cancelled)
  }

  private func perform(_ offered: Machine.Offered, _ element: Element, _ consumer: Consumer?) {
    consumer?.resume(returning: .element(element))
    if offered.becameReady { onReady?() }
  }
}

// MARK: Consuming

extension ChannelStorage {
  /// Reads without waiting. Returns nil when the consumer must wait.
  func poll() -> Machine.Delivery? {
    let (taken, producer) = guarded.withLock { guarded in
      let taken = guarded.machine.poll()
      return (taken, taken.admitted.flatMap { guarded.producers.removeValue(forKey: $0) })
    }
    producer?.resume(returning: .accepted)
    if let end = taken.end { onTermination?(end) }
    return taken.delivery
  }

  /// Waits for the next result, or for an interruption, which returns nil. Call it when `poll` has returned
  /// nil.
  func wait(isolation: isolated (any Actor)?) async -> Machine.Delivery? {
    let waiter = newWaiter()
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { consumer in
        suspend(Consumer(consumer), as: waiter)
      }
    } onCancel: {
      cancelConsumer()
    }
  }

  private func suspend(_ consumer: Consumer, as waiter: WaiterID) {
    let (taken, producer) = guarded.withLock { guarded -> (Machine.Taken?, Producer?) in
      if guarded.isInterrupted {
        guarded.isInterrupted = false
        return (nil, nil)
      }
      let taken = guarded.machine.next(for: waiter)
      if taken.delivery == nil { guarded.consumer = consumer }
      return (taken, taken.admitted.flatMap { guarded.producers.removeValue(forKey: $0) })
    }
    guard let taken else { return consumer.resume(returning: nil) }
    producer?.resume(returning: .accepted)
    if let delivery = taken.delivery { consumer.resume(returning: delivery) } else { onAwait?() }
    if let end = taken.end { onTermination?(end) }
  }

  /// Ends the current wait of the consumer, or its next one.
  func interrupt() {
    let consumer = guarded.withLock { guarded -> Consumer? in
      guard guarded.machine.interrupt() != nil else {
        guarded.isInterrupted = true
        return nil
      }
      return guarded.consumer.take()
    }
    consumer?.resume(returning: nil)
  }

  func drainAll(into elements: inout [Element]) {
    let (producers, end) = guarded.withLock { guarded in
      let (admitted, end) = guarded.machine.drainAll(into: &elements)
      return (admitted.compactMap { guarded.producers.removeValue(forKey: $0) }, end)
    }
    for producer in producers { producer.resume(returning: .accepted) }
    if let end { onTermination?(end) }
  }
}

// MARK: Ending

extension ChannelStorage {
  func finish(with failure: Problem?) {
    close { machine in machine.finish(with: failure) }
    onReady?()
  }

  func revoke(with failure: Problem) {
    close { machine in machine.revoke(with: failure) }
    onReady?()
  }

  func cancelConsumer() {
    close { machine in machine.cancelConsumer() }
  }

  private func close(_ change: (inout Machine) -> Machine.Closed) {
    let (closed, consumer, producers) = guarded.withLock { guarded in
      let closed = change(&guarded.machine)
      let consumer = closed.consumer == nil ? nil : guarded.consumer.take()
      return (closed, consumer, closed.refused.compactMap { guarded.producers.removeValue(forKey: $0) })
    }
    if let waiting = closed.consumer { consumer?.resume(returning: waiting.delivery) }
    for producer in producers { producer.resume(returning: .closed) }
    if let end = closed.end { onTermination?(end) }
  }
}
