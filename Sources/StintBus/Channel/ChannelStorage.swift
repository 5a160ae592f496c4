import StintModel
import StintUnits

/// The state machine of a channel behind a lock, with the suspended consumer.
///
/// The storage resumes the consumer and calls closures only after it has released the lock. It may be used
/// from any thread.
final class ChannelStorage<Element: SampleContainer>: Sendable {
  typealias Machine = ChannelStateMachine<Element>
  /// A consumer that gets nil when it is interrupted.
  private typealias Consumer = WaitingTask<Machine.Delivery?>

  private struct Guarded {
    var machine: Machine
    var consumer: Consumer?
    /// True after an interruption while no consumer waited; the next wait then ends at once.
    var isInterrupted = false
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
    consumer?.resume(returning: .element(element))
    if offered.becameReady { onReady?() }
    return offered.result
  }
}

// MARK: Consuming

extension ChannelStorage {
  /// Reads without waiting. Returns nil when the consumer must wait.
  func poll() -> Machine.Delivery? {
    let taken = guarded.withLock { $0.machine.poll() }
    if let end = taken.end { onTermination?(end) }
    return taken.delivery
  }

  /// Reads a queued element of an open channel. Returns nil in all other cases.
  func readQueued() -> Element? { guarded.withLock { $0.machine.readQueued() } }

  /// Reads without waiting. Returns nil when the consumer must wait, and while a consumer already waits.
  func pollUnlessAwaited() -> Machine.Delivery? {
    let taken = guarded.withLock { $0.consumer == nil ? $0.machine.poll() : Machine.Taken() }
    if let end = taken.end { onTermination?(end) }
    return taken.delivery
  }

  /// Waits for the next result. Returns nil after an interruption. Ends the channel when the task is
  /// cancelled.
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
    let taken = guarded.withLock { guarded -> Machine.Taken? in
      if guarded.isInterrupted {
        guarded.isInterrupted = false
        return nil
      }
      let taken = guarded.machine.next(for: waiter)
      if taken.delivery == nil { guarded.consumer = consumer }
      return taken
    }
    guard let taken else { return consumer.resume(returning: nil) }
    if let delivery = taken.delivery { consumer.resume(returning: delivery) } else { onAwait?() }
    if let end = taken.end { onTermination?(end) }
  }

  /// Ends the current wait of the consumer. Without a current wait, ends the next wait.
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
    let end = guarded.withLock { $0.machine.drainAll(into: &elements) }
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
    let (closed, consumer) = guarded.withLock { guarded in
      let closed = change(&guarded.machine)
      return (closed, closed.consumer == nil ? nil : guarded.consumer.take())
    }
    if let waiting = closed.consumer { consumer?.resume(returning: waiting.delivery) }
    if let end = closed.end { onTermination?(end) }
  }
}
