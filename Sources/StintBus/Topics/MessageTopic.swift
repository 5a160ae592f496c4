import StintModel
public import StintUnits

/// A topic for the messages of an app: every subscriber gets every message, in the order of publication.
///
/// Each subscriber has its own bounded queue, so a slow subscriber causes no loss for other subscribers. May
/// be used from any thread, but the `deinit` of a message must not use the topic.
public final class MessageTopic<Message: Sendable>: Sendable {
  private struct State {
    var channels: [ChannelStorage<Envelope<Message>>] = []
    var latest: Message?
    var failure: Problem?
  }

  private let state = Locked(State())

  /// Makes a topic without subscribers.
  public init() {}

  /// The last published message; nil before the first one.
  public var latest: Message? { state.withLock { $0.latest } }

  /// The number of subscribers.
  public var subscribers: Int { state.withLock { $0.channels.count { $0.isOpen } } }

  /// Offers a message to all subscribers, without waiting. Does nothing after `finish`.
  public func publish(_ message: Message) {
    // The lock is held during the offers, so that all subscribers get the messages of concurrent publishers
    // in the same order.
    state.withLock { state in
      guard state.failure == nil else { return }
      state.latest = message
      var hasDeparted = false
      for channel in state.channels where channel.offer(Envelope(message: message)) == .closed {
        hasDeparted = true
      }
      if hasDeparted { state.channels.removeAll { !$0.isOpen } }
    }
  }

  /// Adds a subscriber, which gets all messages from the next one on.
  ///
  /// - Parameters:
  ///   - policy: the size of the queue of this subscriber; a size below 1 is treated as 1.
  ///   - first: a message that only this subscriber gets, before all other messages; may be nil.
  public func subscribe(_ policy: OverflowPolicy, first: Message? = nil) -> MessageStream<Message> {
    let bounded: OverflowPolicy =
      if case .latest = policy { .latest } else { .dropOldest(capacity: max(policy.capacity, 1)) }
    let channel = ChannelStorage<Envelope<Message>>(
      policy: bounded, onReady: nil, onAwait: nil, onTermination: nil)
    let failure = state.withLock { state in
      state.channels.removeAll { !$0.isOpen }
      if state.failure == nil {
        if let first { _ = channel.offer(Envelope(message: first)) }
        state.channels.append(channel)
      }
      return state.failure
    }
    if let failure { channel.finish(with: failure) }
    return MessageStream(lease: ConsumerLease(storage: channel), reading: ReadingMark())
  }

  /// Ends all subscriptions with a problem after their queued messages. Later subscriptions end at once.
  public func finish(throwing failure: Problem) {
    let channels = state.withLock { state in
      if state.failure == nil { state.failure = failure }
      defer { state.channels = [] }
      return state.channels
    }
    for channel in channels { channel.finish(with: failure) }
  }
}

/// A message in a channel.
struct Envelope<Message: Sendable>: SampleContainer {
  let message: Message
  var sampleCount: Int { 1 }
}

/// A mark that is set while a task waits for the next message of a subscription. All iterators share it.
final class ReadingMark: Sendable {
  let isSet = Locked(false)
}

/// The messages of one subscription, oldest first, for one task.
///
/// The subscription ends when the stream and its iterators are released, or when the reading task is
/// cancelled.
public struct MessageStream<Message: Sendable>: AsyncSequence, Sendable {
  /// An element is one message.
  public typealias Element = Message
  /// The reason for the end of the topic.
  public typealias Failure = Problem

  let lease: ConsumerLease<Envelope<Message>>
  let reading: ReadingMark

  /// The number of messages that were dropped because the subscriber read too slowly.
  public var lost: Int { lease.storage.counts.overflowed.batches }

  /// An iterator over the messages.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let lease: ConsumerLease<Envelope<Message>>
    let reading: ReadingMark

    /// Waits for the next message. Returns nil when the task is cancelled, and after a problem was thrown.
    ///
    /// - Throws: the problem that ended the topic, once; a problem with the code `has-reader` while another
    ///   task waits in this stream.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Problem) -> Message? {
      // A queued message is read without the mark. While another task waits, no message is queued.
      if !Task.isCancelled, let delivery = lease.storage.pollUnlessAwaited() {
        return try Self.message(delivery)
      }
      let isFree = reading.isSet.withLock { isReading in
        defer { isReading = true }
        return !isReading
      }
      guard isFree else {
        throw Problem(
          Problem.Code("has-reader"), cause: "another task reads these messages",
          remedy: "subscribe once for each task")
      }
      defer { reading.isSet.withLock { $0 = false } }
      var delivery = Task.isCancelled ? nil : lease.storage.poll()
      while delivery == nil { delivery = await lease.storage.wait(isolation: actor) }
      guard let delivery else { return nil }
      return try Self.message(delivery)
    }

    private static func message(
      _ delivery: ChannelStateMachine<Envelope<Message>>.Delivery
    ) throws(Problem) -> Message? {
      switch delivery {
      case .element(let envelope): envelope.message
      case .failure(let failure): throw failure
      case .end: nil
      }
    }
  }

  /// Returns an iterator. All iterators read from one queue, so each message is returned once.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(lease: lease, reading: reading) }
}
