/// What a channel does, without tasks, locks or time: events go in, what is to be done comes out.
///
/// Waiting tasks are known by their ids. While a consumer waits, nothing else does; a producer is held only
/// while the buffer is full.
struct ChannelStateMachine<Element: SampleContainer> {
  /// What the channel delivers to a consumer: an element, a failure or the end.
  enum Delivery {
    case element(Element)
    case failure(ClientFailure)
    case end
  }

  /// What the machine is waiting for.
  private enum State {
    /// Batches may be offered and taken.
    case open
    /// The producer has finished, and something is still to be taken before this end.
    case draining(ChannelEnd)
    /// Nothing will be taken any more; a failure in it has not been told yet.
    case ended(ChannelEnd, failureIsUntold: Bool)
  }

  private struct SuspendedProducer {
    var waiter: WaiterID
    var element: Element
  }

  let policy: OverflowPolicy
  private(set) var counts = ChannelCounts()
  private var state = State.open
  private var buffer: Ring<Element>
  private var consumer: WaiterID?
  /// In the order in which they came.
  private var held: [SuspendedProducer] = []
  /// Producers that were cancelled before they arrived here.
  private var cancelledEarly: [WaiterID] = []

  init(policy: OverflowPolicy) {
    self.policy = policy
    buffer = Ring(capacity: policy.capacity)
  }

  /// How the channel ended; nil while something may still be taken.
  var end: ChannelEnd? {
    if case .ended(let end, _) = state { return end }
    return nil
  }

  /// Whether the producer has not finished and the consumer has not left.
  var isOpen: Bool {
    if case .open = state { return true }
    return false
  }

  /// Whether an offer would be accepted now, if only by losing something.
  var hasRoom: Bool {
    !(policy.mayHold && buffer.isFull)
  }
}

// MARK: Producing

extension ChannelStateMachine {
  struct Offered {
    var result: OfferResult
    /// The waiting consumer that gets the element; it is in no buffer.
    var consumer: WaiterID?
    /// Whether the first element began to wait.
    var becameReady = false
  }

  /// A producer offers and does not wait.
  mutating func offer(_ element: Element) -> Offered {
    guard case .open = state else { return Offered(result: .closed) }
    if let waiter = consumer {
      consumer = nil
      counts.accepted += element.tally
      counts.delivered += element.tally
      return Offered(result: .accepted, consumer: waiter)
    }
    guard buffer.isFull else {
      let wasEmpty = buffer.isEmpty
      accept(element)
      return Offered(result: .accepted, becameReady: wasEmpty)
    }
    if case .hold = policy { return Offered(result: .full) }
    if let oldest = buffer.popFirst() { counts.overflowed += oldest.tally }
    accept(element)
    return Offered(result: .displaced)
  }

  /// A producer offers and waits for room; nil when it has to be suspended.
  mutating func send(_ element: Element, by waiter: WaiterID) -> Offered? {
    if let index = cancelledEarly.firstIndex(of: waiter) {
      cancelledEarly.remove(at: index)
      return Offered(result: .cancelled)
    }
    let offered = offer(element)
    guard offered.result == .full else { return offered }
    held.append(SuspendedProducer(waiter: waiter, element: element))
    return nil
  }

  /// A producer's task was cancelled; true when it was held and must be resumed.
  mutating func cancelSend(by waiter: WaiterID) -> Bool {
    guard let index = held.firstIndex(where: { $0.waiter == waiter }) else {
      cancelledEarly.append(waiter)
      return false
    }
    held.remove(at: index)
    return true
  }

  /// A producer came back from sending; a cancellation that came too late is forgotten.
  mutating func forget(_ waiter: WaiterID) {
    cancelledEarly.removeAll { $0 == waiter }
  }

  private mutating func accept(_ element: Element) {
    counts.accepted += element.tally
    buffer.append(element)
  }
}

// MARK: Consuming

extension ChannelStateMachine {
  struct Taken {
    /// Nil when the consumer has to be suspended.
    var delivery: Delivery?
    /// The producer whose element took the place that became free.
    var admitted: WaiterID?
    /// Set when the channel ended with this.
    var end: ChannelEnd?
  }

  /// The consumer asks for the next element, and waits if there is none.
  mutating func next(for waiter: WaiterID) -> Taken {
    let taken = poll()
    // Open and empty: draining with nothing left is ended.
    if taken.delivery == nil { consumer = waiter }
    return taken
  }

  /// The consumer asks for the next element, and does not wait.
  mutating func poll() -> Taken {
    precondition(consumer == nil, "a channel has one consumer, and it is waiting already")
    if let element = buffer.popFirst() {
      counts.delivered += element.tally
      return Taken(delivery: .element(element), admitted: admitHeld(), end: endWhenDrained())
    }
    guard case .ended(let end, let failureIsUntold) = state else { return Taken() }
    state = .ended(end, failureIsUntold: false)
    if case .failed(let failure) = end, failureIsUntold { return Taken(delivery: .failure(failure)) }
    return Taken(delivery: .end)
  }

  /// The consumer takes everything that waits, held producers' elements too, and does not wait.
  ///
  /// - Returns: the producers to be resumed, and how the channel ended if it did now.
  mutating func drainAll(into elements: inout [Element]) -> (admitted: [WaiterID], end: ChannelEnd?) {
    precondition(consumer == nil, "a channel has one consumer, and it is waiting already")
    if case .ended = state { return ([], nil) }
    var admitted: [WaiterID] = []
    while let element = buffer.popFirst() {
      counts.delivered += element.tally
      elements.append(element)
      if let waiter = admitHeld() { admitted.append(waiter) }
    }
    return (admitted, endWhenDrained())
  }

  private mutating func admitHeld() -> WaiterID? {
    guard !held.isEmpty else { return nil }
    let first = held.removeFirst()
    accept(first.element)
    return first.waiter
  }

  private mutating func endWhenDrained() -> ChannelEnd? {
    guard case .draining(let end) = state, buffer.isEmpty else { return nil }
    state = .ended(end, failureIsUntold: true)
    return end
  }
}

// MARK: Ending

extension ChannelStateMachine {
  struct Closed {
    /// The waiting consumer and what the channel delivers to it.
    var consumer: (waiter: WaiterID, delivery: Delivery)?
    /// Held producers whose elements the consumer will never read.
    var refused: [WaiterID] = []
    /// Set when the channel ended with this.
    var end: ChannelEnd?
  }

  /// The producer says that nothing more will come; what waits is still delivered.
  mutating func finish(with failure: ClientFailure?) -> Closed {
    guard case .open = state else { return Closed() }
    let end = failure.map(ChannelEnd.failed) ?? .finished
    guard buffer.isEmpty else {
      state = .draining(end)
      return Closed()
    }
    guard let waiter = consumer else {
      state = .ended(end, failureIsUntold: true)
      return Closed(end: end)
    }
    consumer = nil
    state = .ended(end, failureIsUntold: false)
    return Closed(consumer: (waiter, failure.map(Delivery.failure) ?? .end), end: end)
  }

  /// Revokes the consumer's right to read: buffered elements are discarded and counted, and it gets the
  /// failure.
  mutating func revoke(with failure: ClientFailure) -> Closed {
    if case .ended = state { return Closed() }
    while let element = buffer.popFirst() { counts.discarded += element.tally }
    let refused = held.map(\.waiter)
    held = []
    state = .open
    var closed = finish(with: failure)
    closed.refused = refused
    return closed
  }

  /// The consumer will never ask again; what waits is discarded and counted.
  mutating func cancelConsumer() -> Closed {
    if case .ended = state { return Closed() }
    let waiting = consumer
    consumer = nil
    while let element = buffer.popFirst() { counts.discarded += element.tally }
    let refused = held.map(\.waiter)
    held = []
    state = .ended(.abandoned, failureIsUntold: false)
    return Closed(consumer: waiting.map { ($0, .end) }, refused: refused, end: .abandoned)
  }
}
