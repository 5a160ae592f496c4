import StintUnits

/// The logic of a channel, without tasks, locks or time. Each mutating function applies one event and returns
/// the actions that the caller must perform.
///
/// A suspended consumer is identified by a waiter id. While it waits, the buffer is empty.
struct ChannelStateMachine<Element: SampleContainer> {
  /// The result of a read: an element, a failure or the end.
  enum Delivery {
    case element(Element)
    /// Indirect, because a result is copied often, and a `Problem` is large.
    indirect case failure(Problem)
    case end
  }

  /// The phase of the channel.
  private enum State {
    /// Elements can be offered and read.
    case open
    /// The producer has finished, and queued elements remain. When they have been read, the channel ends with
    /// this `ChannelEnd`.
    case draining(ChannelEnd)
    /// No element can be read. `isFailureUnread` is true until the consumer has received the failure.
    case ended(ChannelEnd, isFailureUnread: Bool)
  }

  let policy: OverflowPolicy
  private(set) var counts = ChannelCounts()
  private var state = State.open
  private var buffer: Ring<Element>
  private var consumer: WaiterID?

  init(policy: OverflowPolicy) {
    self.policy = policy
    buffer = Ring(capacity: policy.capacity)
  }

  /// The reason for the end; nil until the channel has ended.
  var end: ChannelEnd? {
    if case .ended(let end, _) = state { return end }
    return nil
  }

  /// True while the producer has not finished and the consumer has not left.
  var isOpen: Bool {
    if case .open = state { return true }
    return false
  }
}

// MARK: Producing

extension ChannelStateMachine {
  /// The result of an offer, and the actions that it requires.
  struct Offered {
    var result: OfferResult
    /// The waiting consumer to which the element goes directly, without the buffer.
    var consumer: WaiterID?
    /// True when the element was added to an empty buffer.
    var becameReady = false
  }

  /// Offers an element without waiting.
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
    if let oldest = buffer.popFirst() { counts.overflowed += oldest.tally }
    accept(element)
    return Offered(result: .displaced)
  }

  private mutating func accept(_ element: Element) {
    counts.accepted += element.tally
    buffer.append(element)
  }
}

// MARK: Consuming

extension ChannelStateMachine {
  /// The result of a read, and the actions that it requires.
  struct Taken {
    /// The result; nil when the consumer must be suspended.
    var delivery: Delivery?
    /// The end of the channel, when this read ended it.
    var end: ChannelEnd?
  }

  /// Reads the next element. Registers the consumer as waiting when there is no element.
  mutating func next(for waiter: WaiterID) -> Taken {
    let taken = poll()
    // `poll` gives no delivery only for an open and empty channel. An empty channel that is not open has
    // ended, and then `poll` delivers the end or the failure.
    if taken.delivery == nil { consumer = waiter }
    return taken
  }

  /// Ends the wait of the consumer without a result. Returns nil when no consumer waits.
  mutating func interrupt() -> WaiterID? {
    defer { consumer = nil }
    return consumer
  }

  /// Reads a queued element of an open channel. Returns nil in all other cases; then `poll` gives the result.
  ///
  /// This is the usual read. It does not build a `Taken`, whose copies cost more than the read.
  mutating func readQueued() -> Element? {
    guard case .open = state, let element = buffer.popFirst() else { return nil }
    counts.delivered += element.tally
    return element
  }

  /// Reads the next element without waiting.
  mutating func poll() -> Taken {
    precondition(consumer == nil, "the only consumer of the channel is already waiting")
    if let element = buffer.popFirst() {
      counts.delivered += element.tally
      return Taken(delivery: .element(element), end: endWhenDrained())
    }
    guard case .ended(let end, let isFailureUnread) = state else { return Taken() }
    state = .ended(end, isFailureUnread: false)
    if case .failed(let failure) = end, isFailureUnread { return Taken(delivery: .failure(failure)) }
    return Taken(delivery: .end)
  }

  /// Reads all queued elements without waiting.
  ///
  /// - Returns: the end of the channel when this call ended it.
  mutating func drainAll(into elements: inout [Element]) -> ChannelEnd? {
    precondition(consumer == nil, "the only consumer of the channel is already waiting")
    if case .ended = state { return nil }
    while let element = buffer.popFirst() {
      counts.delivered += element.tally
      elements.append(element)
    }
    return endWhenDrained()
  }

  private mutating func endWhenDrained() -> ChannelEnd? {
    guard case .draining(let end) = state, buffer.isEmpty else { return nil }
    state = .ended(end, isFailureUnread: true)
    return end
  }
}

// MARK: Ending

extension ChannelStateMachine {
  /// The actions that an end of the channel requires.
  struct Closed {
    /// The waiting consumer to resume, and the result that it gets.
    var consumer: (waiter: WaiterID, delivery: Delivery)?
    /// The end of the channel, when this call ended it.
    var end: ChannelEnd?
  }

  /// Ends production. Queued elements are still delivered.
  mutating func finish(with failure: Problem?) -> Closed {
    guard case .open = state else { return Closed() }
    let end = failure.map(ChannelEnd.failed) ?? .finished
    guard buffer.isEmpty else {
      state = .draining(end)
      return Closed()
    }
    guard let waiter = consumer else {
      state = .ended(end, isFailureUnread: true)
      return Closed(end: end)
    }
    consumer = nil
    state = .ended(end, isFailureUnread: false)
    return Closed(consumer: (waiter, failure.map(Delivery.failure) ?? .end), end: end)
  }

  /// Revokes the consumer's right to read. Queued elements are discarded and counted; the consumer gets the
  /// failure.
  mutating func revoke(with failure: Problem) -> Closed {
    if case .ended = state { return Closed() }
    while let element = buffer.popFirst() { counts.discarded += element.tally }
    state = .open
    return finish(with: failure)
  }

  /// Ends the channel because the consumer left. Queued elements are discarded and counted.
  mutating func cancelConsumer() -> Closed {
    if case .ended = state { return Closed() }
    let waiting = consumer
    consumer = nil
    while let element = buffer.popFirst() { counts.discarded += element.tally }
    state = .ended(.abandoned, isFailureUnread: false)
    return Closed(consumer: waiting.map { ($0, .end) }, end: .abandoned)
  }
}
